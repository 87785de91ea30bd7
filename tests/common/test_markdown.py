"""What people write and models answer, as HTML."""

from __future__ import annotations

from django.utils import translation
from django.utils.safestring import SafeString

from supervisor_site.common import markdown
from supervisor_site.common.markdown import highlight_code, render_markdown


def test_a_paragraph_with_emphasis():
    assert render_markdown("It is *very* **quiet**.") == (
        "<p>It is <em>very</em> <strong>quiet</strong>.</p>\n"
    )


def test_nothing_renders_nothing():
    assert render_markdown("") == ""


def test_a_line_break_stays_one():
    assert render_markdown("one\ntwo") == "<p>one<br>\ntwo</p>\n"


def test_headings_start_below_those_of_the_page():
    assert render_markdown("# A\n## B\n##### E") == (
        "<h3>A</h3>\n<h4>B</h4>\n<h6>E</h6>\n"
    )


def test_a_table_scrolls_in_a_named_region_and_aligns_by_class():
    html = render_markdown("|Date|Amount|\n|:-|-:|\n|1 May|49.00|")
    assert html.startswith(
        '<div class="table-region" role="region" tabindex="0" aria-label="Table">'
        "<table>"
    )
    assert html.rstrip().endswith("</table></div>")
    assert '<th class="align-end">Amount</th>' in html
    assert '<td class="align-start">1 May</td>' in html
    assert "style" not in html


def test_strikethrough():
    assert render_markdown("~~gone~~") == "<p><s>gone</s></p>\n"


def test_a_bare_address_becomes_a_link_without_the_full_stop_after_it():
    assert render_markdown("See https://example.com/a_b?c=d&e=f.") == (
        '<p>See <a href="https://example.com/a_b?c=d&amp;e=f"'
        ' rel="noopener noreferrer nofollow">https://example.com/a_b?c=d&amp;e=f</a>.'
        "</p>\n"
    )


def test_a_bare_address_keeps_its_own_brackets_only():
    html = render_markdown("(see https://example.com/x_(y))")
    assert 'href="https://example.com/x_(y)"' in html
    assert html.endswith("</a>)</p>\n")


def test_ideographic_punctuation_ends_a_bare_address():
    assert 'href="https://example.com/a"' in render_markdown(
        "见https://example.com/a。好"
    )


def test_an_e_mail_address_becomes_a_link():
    assert 'href="mailto:alice@example.com"' in render_markdown(
        "Sent to alice@example.com."
    )


def test_file_names_are_no_links():
    assert "<a" not in render_markdown("settings.py and node.js")


def test_code_is_highlighted_with_classes():
    html = render_markdown('```python\nreturn "<b>"\n```')
    assert html.startswith('<pre class="code" tabindex="0"><code>')
    assert '<span class="hl-k">return</span>' in html
    assert "&lt;b&gt;" in html
    assert "style" not in html


def test_code_of_an_unknown_language_stays_plain():
    assert render_markdown("```brainrot\n+-<\n```").startswith(
        '<pre class="code" tabindex="0"><code>+-&lt;\n</code></pre>'
    )


def test_code_is_highlighted_up_to_its_share_of_one_text():
    block = "```python\n" + "x = 1\n" * 9_000 + "```\n"
    html = render_markdown(block * 2)
    first, second = html.split("</pre>")[:2]
    assert "hl-" in first
    assert "hl-" not in second


def test_highlight_code_leaves_long_text_plain():
    assert "hl-" in highlight_code('{"a": 1}', "json")
    assert "hl-" not in highlight_code('"' + "a" * 100_000 + '"', "json")


def test_long_text_is_shown_as_it_is_and_says_so():
    html = render_markdown("# a\n" * 60_000)
    assert html.startswith(
        '<p class="plain-note">Long text, shown as it is: 240000 characters</p>'
        '<pre class="plain" tabindex="0"># a\n'
    )


def test_very_long_text_is_cut_and_says_so():
    html = render_markdown("a" * 3_000_000)
    assert "the first 1000000 of 3000000 characters" in html
    assert len(html) < 1_000_300


def test_half_a_surrogate_pair_does_no_harm():
    assert render_markdown("a\ud83d") == "<p>a?</p>\n"


def test_any_script_passes():
    assert render_markdown("**退款** مرحبا") == "<p><strong>退款</strong> مرحبا</p>\n"


def test_the_same_text_is_rendered_once(monkeypatch):
    text = "rendered once, **surely**"
    first = render_markdown(text)
    monkeypatch.setattr(markdown, "_render", None)
    assert render_markdown(text) is first


def test_another_language_is_another_result():
    table = "|a|\n|-|\n|b|"
    english = render_markdown(table)
    with translation.override("fr"):
        assert render_markdown(table) is not english


def test_the_memory_of_results_is_bounded():
    cache = markdown._Cache(10)
    cache.put("a", SafeString("12345"))
    cache.put("b", SafeString("1234"))
    assert cache.get("a") == "12345"
    cache.put("c", SafeString("123"))
    assert cache.get("b") is None
    assert cache.get("a") == "12345"
    assert cache.get("c") == "123"

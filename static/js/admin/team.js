/* The form of a team shows what belongs to the chosen pattern, and offers the agents
   that take part. Without this script all of it is shown. */
"use strict";
(() => {
  const BELONGS = {
    supervisor: [".field-supervisor_agent"],
    sequential: [".field-place", ".column-place"],
    handoff: [
      ".field-start_agent",
      ".field-return_to",
      "#handoffs-group",
      "fieldset:has(.field-autonomous_on)",
      "fieldset:has(.field-ends_when)",
      "fieldset:has(.field-step_agents)",
    ],
  };
  const CHOICES = ["autonomous_agents", "step_agents", "hidden_agents"];

  const form = document.getElementById("team_form");
  if (!form || !form.querySelector("[name=pattern]")) return;

  /* What is hidden is not sent, so that a change of mind refuses nothing. What is
     stored already, or must be sent, stays as it is. */
  function isSent(control) {
    return (
      control.name === "return_to" ||
      control.type === "hidden" ||
      control.closest(".has_original, #members-group")
    );
  }

  function show(element, wanted) {
    const shown = wanted || element.querySelector(".errorlist") !== null;
    element.hidden = !shown;
    for (const control of element.querySelectorAll("input, select, textarea")) {
      if (!isSent(control)) control.disabled = !shown;
    }
  }

  function choosePattern() {
    const chosen = form.querySelector("[name=pattern]:checked")?.value;
    for (const [pattern, places] of Object.entries(BELONGS)) {
      for (const element of form.querySelectorAll(places.join(","))) {
        show(element, pattern === chosen);
      }
    }
  }

  function participants() {
    const rows = form.querySelectorAll("#members-group select[name$='-agent']");
    return new Set([...rows].map((row) => row.selectedOptions[0]?.textContent.trim()));
  }

  function offerParticipants() {
    const names = participants();
    for (const field of CHOICES) {
      for (const box of form.querySelectorAll(`[name="${field}"]`)) {
        box.closest("label").parentElement.hidden = !box.checked && !names.has(box.value);
      }
    }
  }

  /* On a narrow screen each row is a card, and its cells tell their own names. */
  function nameCells() {
    for (const table of form.querySelectorAll(".inline-group table")) {
      const heads = [...table.querySelectorAll("thead th:not(.original)")];
      for (const row of table.querySelectorAll("tbody tr.form-row")) {
        const cells = row.querySelectorAll("td:not(.original)");
        cells.forEach((cell, place) => {
          cell.setAttribute("data-label", heads[place]?.textContent.trim() ?? "");
        });
      }
    }
  }

  function update() {
    nameCells();
    choosePattern();
    offerParticipants();
  }

  // The rows' choices are of a library that speaks to jQuery alone.
  window.django?.jQuery(form).on("change", "select", update);
  form.addEventListener("change", update);
  document.addEventListener("formset:added", update);
  document.addEventListener("formset:removed", update);
  update();
})();

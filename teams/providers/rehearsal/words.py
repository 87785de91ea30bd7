"""Word lists of no domain: what is said around a subject, in a handful of languages.

Sets hold folded words: without case, accents or vowel marks.
"""

from __future__ import annotations

from teams.providers.rehearsal.folding import fold


def _words(text: str) -> frozenset[str]:
    return frozenset(fold(text).split())


# Said to everyone about everything: no evidence for any tool or worker.
STOP = _words(
    """
    a about after again all also am an and any anything are around as ask at be been
    before between but by can check could did display do does each every everything
    fetch few find for from further get give go had has have he hello help her here
    hers hey hi him his how i if in into is it its just kind know last latest let like
    list look looks lookup made make many may me might mine more most much must my
    need needs new newest next no not now of off on one only or other our out over
    own per please provide put question re read recent request result return returns
    run search see shall she should show shows since so some someone something such
    take tell than thank thanks that the their them then there these they thing this
    those through to too under until up us use used user uses using very via want was
    way we were what when where whether which who whom whose why will wish with
    within without would yes yet you your
    actually instead mean meant rather sorry
    agent agents assistant data detail details information person people task tasks
    team teams tool tools worker workers id ids identifier number
    au aux avec ce ces cette dans de des du elle en est et il je la le les leur ma mes
    moi mon montre montrer nous ou par pas pour quel quelle quels quelles que qui sa
    ses son sont sur te toi ton un une vous
    bitte das dem den der die ein eine einen einer es fur ich ihr ihre im ist mein
    meine mir mit oder sie sind und uns von was welche welcher wer wie wir zeige zu
    zum zur
    con cual del donde el ella ese esta este la las lo los mi mis muestra muestrame
    para por quien son su sus una uno y
    اريد الى او اي اين انا انت التي الذي بعد عرض على عن في كل كم كيف لا لي ما ماذا مع
    من متى هذا هذه هل هو هي اعرض
    我们 你们 请问 一下 什么 怎么 可以 帮我 查询 查看 显示 给我 告诉 哪个 哪些 多少 如何
    帮助 最近 需要 提供 一个 进行 用户
    教え 表示 下さ
    """
)

# A run of Han characters is cut at these before it is read in pairs.
HAN_BREAKS = frozenset(
    "的了和与及或并请给在是吗呢吧把被让将我你他她它们这那有就也都帮想要"
)

# Verbs of looking something up: what they name changes nothing.
LOOKING = _words(
    """
    browse check count describe display fetch find get list look lookup query read
    retrieve search see show view
    afficher chercher consulter donne donner donnez lire lister montrer trouver
    anzeigen finden holen lesen suchen zeigen
    buscar consultar leer listar mostrar
    查 查询 查看 查找 搜索 列出 获取 检索 検索 表示 取得 照会 一覧
    بحث عرض اعرض استعلام
    """
)

# Verbs of changing something: what is named or described by one first does so.
DOING = _words(
    """
    add adjust apply approve arrange assign block book buy cancel change charge clear
    close complete confirm correct create cut deactivate decline delete disable draft
    edit enable extend file fix grant increase insert install invite issue lock mark
    merge modify move open order pay place prepare print publish raise record reduce
    register reject release remove rename renew replace report request reschedule
    reserve reset restart resume revoke save schedule set ship sign start stop submit
    subscribe suspend switch terminate transfer translate unlock unsubscribe update
    upgrade upload withdraw write
    ajoute ajoutez ajouter annule annulez annuler changez changer commandez commander
    cree creez creer enregistre enregistrez enregistrer modifie modifiez modifier
    planifie planifiez planifier reserve reservez reserver supprime supprimez supprimer
    andere andern bestelle bestellen buche buchen erstelle erstellen losche loschen
    storniere stornieren
    anade anadir cambia cambiar cancela crea crear elimina eliminar reserva reservar
    احجز حجز انشئ انشاء اضف اضافه سجل تسجيل عدل تعديل احذف حذف غير تغيير
    安排 创建 登记 订 取消 删除 设置 申请 提交 添加 调整 新建 修改 预订 预定 增加
    変更 削除 作成 申請 注文 追加 登録 予約
    """
)

# Verbs of putting an end to something: to look it up instead would be no help.
ENDING = _words(
    """
    cancel deactivate delete erase terminate
    annule annuler annulez supprime supprimer supprimez
    losche loschen storniere stornieren elimina eliminar cancela cancelar
    احذف حذف الغ الغاء
    取消 删除 注销 削除
    """
)

# Units of time: any tool may count in them.
TIME_UNITS = _words(
    """
    second minute hour day week month quarter year
    jour semaine mois annee heure tag woche monat jahr stunde dia semana mes ano hora
    """
)

# What anybody may do in a conversation, whatever it is about.
TALKING = _words(
    """
    explain answer answers question questions help solve say speak reply respond
    conversation colleague subject topic hand step
    expliquer repondre question sujet erklaren antworten frage thema
    explicar responder pregunta tema
    """
)

# Words that open a question.
ASKING = _words(
    """
    what which who whose when where why how is are was were does did
    quel quelle quels quelles qui quand ou combien est
    was welche welcher welches wer wann wo wie
    cual que quien cuando donde cuanto
    什么 哪个 哪些 谁 多少 几 何 いつ どの
    ما ماذا من متى اين كم هل
    """
)

# Words of sending something to somebody: one group, matched with each other.
SENDING = _words(
    """
    deliver dispatch email forward letter mail mailing message notice notification
    notifications notify post send sender sending sends sms
    courriel courrier envoi envoie envoyer envoyez expedier notifier prevenir
    benachrichtigen benachrichtigung mailen nachricht schick schicke schicken senden
    sende versenden
    correo enviar envia enviame notificar mandar manda
    ارسل يرسل ارسال بريد اشعار اخطار ابلاغ
    发送 发给 邮件 通知 寄送 转发 短信 送信 送付 连絡 連絡
    """
)

SENDING_VERBS = _words(
    """
    deliver dispatch forward notify send envoyer notifier expédier senden
    verschicken enviar mandar notificar 发送 转发 寄送 送信 送付 ارسل يرسل ارسال
    """
)

# Words that point back to something said or found before.
POINTING = _words(
    """
    it its them they their theirs this that these those he him his she her hers there
    same one ones all everything
    le la les lui leur cela ceci eux es sie ihn ihm ihnen lo los ello
    它 他 她 这 那 这个 那个 它们 それ これ 彼 彼女 ذلك هذا هذه
    """
)

NEGATION = _words(
    """
    never no not nor nothing without dont doesnt cannot cant nobody
    jamais ne ni sans nicht kein keine keinen nie ohne nunca sin
    لا ليس بدون لن لم
    """
)
NEGATION_SIGNS = ("不", "别", "勿", "未", "没", "ない", "ません")

GREETING = _words(
    """
    hello hi hey hallo howdy greetings welcome morning afternoon evening good day
    bonjour bonsoir salut coucou hola buenos buenas ciao ola guten tag servus moin
    مرحبا اهلا السلام سلام عليكم صباح مساء الخير
    你好 您好 早上好 下午好 晚上好 嗨 こんにちは こんばんは おはよう 안녕하세요
    """
)

THANKS = _words(
    """
    thanks thank thx cheers merci danke gracias obrigado grazie شكرا
    谢谢 感谢 ありがとう ありがとうございます ありがとうございました 감사합니다
    bye goodbye revoir tschuss adios 再见 さようなら وداعا
    """
)

GIVING_UP = _words(
    """
    cancel stop abort forget never nevermind skip nothing
    annuler annule laisse abbrechen vergiss cancelar olvidalo
    取消 算了 不用 やめる キャンセル الغاء الغ
    """
)

# "I do not know": with a word of denial it is no answer.
KNOWING = _words("know idea clue sais weiss se sabe اعرف 知道 清楚")

YES = _words("yes y yeah yep sure true oui ja si 是 是的 对 はい نعم")
NO = _words("no n nope false non nein 不 不是 否 いいえ لا")

# What stands before where, when or why something is, not before what is wanted.
BESIDE = _words(
    """
    about because concerning during in at inside near regarding within
    dans pendant chez concernant im bei wegen wahrend
    """
)

# What opens a part of a sentence that only says where, when or for whom.
CIRCUMSTANCE = _words(
    """
    at by for from in on to with
    au aux avec chez dans du en pour sur
    auf bei fur im mit nach von zu
    con desde para por
    """
)

# What joins two wishes, at the start of a part: it is not said on.
JOINING = _words(
    """
    and also then finally afterwards next plus
    et puis ensuite aussi und dann auch danach y luego tambien ثم
    """
)

ARTICLES = _words(
    """
    the a an all any each every his her its their my our last latest recent newest
    first next both
    """
)

_COUNTED = """
zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen
fifteen sixteen seventeen eighteen nineteen twenty
"""
_NUMBERED = """
thirty=30 forty=40 fifty=50 sixty=60 seventy=70 eighty=80 ninety=90 dozen=12
deux=2 trois=3 quatre=4 cinq=5 sept=7 huit=8 neuf=9 dix=10 onze=11 douze=12
treize=13 quatorze=14 quinze=15 seize=16 vingt=20 trente=30
zwei=2 drei=3 vier=4 fünf=5 sechs=6 sieben=7 acht=8 neun=9 zehn=10 zwölf=12 zwanzig=20
dos=2 tres=3 cuatro=4 cinco=5 seis=6 siete=7 ocho=8 nueve=9 diez=10
اثنين=2 ثلاثة=3 ثلاث=3 أربعة=4 أربع=4 خمسة=5 خمس=5 ستة=6 ست=6 سبعة=7 سبع=7
ثمانية=8 ثماني=8 تسعة=9 تسع=9 عشرة=10 عشر=10
"""


def _numbers() -> dict[str, int]:
    pairs = (pair.split("=") for pair in fold(_NUMBERED).split())
    counted = {word: value for value, word in enumerate(_COUNTED.split())}
    return {**counted, **{word: int(value) for word, value in pairs}}


NUMBERS = _numbers()

# Forms that no ending tells.
_IRREGULAR = """
    bought=buy brought=bring built=build chose=choose chosen=choose flew=fly
    flown=fly forgot=forget forgotten=forget gave=give given=give held=hold kept=keep
    left=leave lent=lend lost=lose made=make met=meet paid=pay sent=send sold=sell
    spent=spend stole=steal stolen=steal taken=take took=take wrote=write
    written=write children=child feet=foot men=man mice=mouse women=woman
"""
IRREGULAR = dict(pair.split("=") for pair in _IRREGULAR.split())
TIMES = {"hundred": 100, "thousand": 1000, "hundert": 100}

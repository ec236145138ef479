/**
 * The words by which a text speaks to a program that reads pages for people. All are compared with
 * one sentence in lower case with single spaces, so none needs a gap of unknown length.
 */

/**
 * Letters and digits of the scripts that have words. Written out, since the classes of Unicode make
 * each expression that uses them take milliseconds to compile.
 */
export const LETTER = String.raw`0-9a-z\u00df-\u024f\u0370-\u058f\u1e00-\u1eff`;

const anyOf = (...parts: readonly string[]): RegExp =>
  new RegExp(parts.join('|').replaceAll('\\p{L}', `[${LETTER}]`));
const words = (list: string): string => `(?<![${LETTER}])(?:${list})(?![${LETTER}])`;
/** Words that may go on: stems. */
const stems = (list: string): string => `(?<![${LETTER}])(?:${list})`;

/** Programs that read. An agent alone may be a person. */
export const NAME = anyOf(
  words(
    '(?:gpt|chatgpt|claude|gemini|copilot|grok|openai|anthropic|deepseek)(?:-[\\w.]{1,10})?|perplexity(?: ai)?|(?:ai|llm|gpt|gen ?ai)[- ]?(?:powered |based |driven )?(?:chat ?bots?|assistants?|agents?|models?|systems?|bots?|crawlers?|tools?|readers?|reviewers?|scrapers?|search engines?|summari[sz]ers?|overviews?|engines?|browsers?|services?)|(?:large )?language models?|chat ?bots?|ai (?:\\p{L}{1,12} )?(?:checkers?|moderators?|validators?|evaluators?|classifiers?|filters?|recruiters?|screeners?|graders?|judges?|readers?|reviewers?)|(?:automated|autonomous|machine|virtual|browsing|browser|web|coding|research|shopping|computer[- ]use) (?:assistants?|agents?|reviewers?|readers?|screeners?)|machine learning models?|ais?|a\\.i\\.|llms?',
  ),
  stems(
    "ki[- ](?:assistent|agent|modell|system|bot|such)|sprachmodell|künstliche intelligenz|kis(?!\\p{L})|modèles? de langage|(?:assistants?|agents?|modèles?|systèmes?|robots?) (?:d[’']ia|ia)|intelligence artificielle|model[oe]s? de (?:lenguaje|linguagem)|(?:asistentes?|assistentes?|agentes?|modelos?|sistemas?|robots?) de (?:ia|inteligencia)|inteligencia artificial|inteligência artificial|modell[oi] linguistic|assistent[ei] (?:ia|ai)|intelligenza artificiale|taalmodel|ai-assistent|model(?:e|u|i)? językow|asystent\\p{L}{0,3} ai|sztuczn\\p{L}{1,4} inteligencj|искусственн\\p{L}{1,4} интеллект|языков\\p{L}{1,4} модел|нейросет|ии-(?:ассистент|агент|помощник|модел)|штучн\\p{L}{1,4} інтелект|мовн\\p{L}{1,4} модел|yapay zek|dil model",
  ),
  words('ia|ki|ии|ші'),
  '人工智能|人工智慧|ai(?:助手|助理|代理|模型|系统|系統|アシスタント|エージェント|モデル| 어시스턴트| 에이전트| 모델)|大(?:语言|語言)?模型|(?:语言|語言|言語)模型|言語モデル|智能体|聊天机器人|聊天機器人|人工知能|인공지능|언어 모델|챗봇|الذكاء الاصطناعي|نموذج(?: لغوي|ا لغويا)|कृत्रिम बुद्धि',
);

/** What is set aside, of the orders that a program has … */
export const SET_ASIDE = new RegExp(
  anyOf(
    words('ignore|disregard|forget|override|bypass|discard|overlook|abandon'),
    stems(
      'ignorier|missacht|vergiss|vergesst|vergessen sie|ignorez|ignore[sr]?|oublie[szr]?|ne ten(?:ez|ir) pas compte|ignor[ae]n?|olvid[ae]n?|haz caso omiso|omit[ae]|desconsidere|esqueç?ca?|esqueça|dimentica|trascura|negeer|vergeet|zignoruj|pomiń|zapomnij|игнорир|проигнорир|забудь|не обращай|ігнору|забудьте?|yok say|görmezden gel|unut|bỏ qua|abaikan|lupakan',
    ),
    '忽略|无视|無視|忽视|忽視|忘记|忘記|忘れ|破棄|不要理会|무시|잊|تجاهل|انس|अनदेखा|नज़रअंदाज़|भूल',
  ),
  'g',
);
/**
 * The verb of a description, where a clause does not begin with it: “a robot that ignores …”. Some
 * of these are orders there.
 */
export const DESCRIBES = new RegExp(
  `^(?:ignore[sd]|ignoring|ignorierte?|vergisst|missachtete?|(?:про)?игнориру(?:ет|ют|я)|(?:про)?игнорировал[аи]?|ігнору(?:є|ють))(?![${LETTER}])`,
);
/** Before the verb of a description: “readers who ignore …”. */
export const DESCRIBED = new RegExp(`(?<![${LETTER}])(?:who|that|which|qui|che) $`);
/** Before the verb of an order, where it is not one of a description. */
export const CLAUSE_START = /(?:^|\bque |[:;,!.–—-])[\s"'“„«(]{0,6}(?:bitte |please )?$/;
/** … which come from before … */
export const EARLIER = anyOf(
  words(
    'previous|prior|above|earlier|preceding|foregoing|existing|initial|original|former|system|your|all|any|past',
  ),
  stems(
    'vorherig|vorige|bisher|zuvor|vorher|deine|ihre|vos |tes |tus |sus |tuas|suas|tue |твои|ваши|bisherig|obig|früher|voran|alle|précédent|antérieur|ci-dessus|tout(?:es|e)?|anterior|previ[ao]|todas?|acima|precedent|sopra|tutte|vorig|eerder|bovenstaand|poprzedni|wcześniejsz|wszystk|предыдущ|прежн|вышеуказан|все|свои|попередн|усі|всі|önceki|yukarıdaki|tüm|trước|sebelumnya|semua',
  ),
  '之前|以前|先前|上述|以上|上面|所有|前の|前述|これまで|上記|すべて|全て|이전|위의|모든|السابقة|جميع|كل|पिछले|सभी',
);
/** … as they are called. */
export const ORDERS = anyOf(
  words(
    'instructions?|prompts?|directives?|everything (?:above|before|prior|you (?:were|have been) told)|alles,? was (?:du|sie|ihr)|tout ce qu[ei]|todo lo (?:que|anterior)|tutto ciò che',
  ),
  stems(
    'anweisung|instruktion|vorgabe|befehl|consigne|directive|instruccion|órdenes|indicaciones|instruç|ordens|istruzion|instructies|opdracht|instrukcj|poleceni|инструкц|указани|команд|інструкц|вказівк|talimat|komut|hướng dẫn|chỉ dẫn|mệnh lệnh|instruksi|perintah',
  ),
  '指令|指示|提示|命令|プロンプト|지시|명령|프롬프트|지침|التعليمات|الأوامر|تعليمات|निर्देश',
);
/** Words that are said of much else too, so they need one of the narrower words before them. */
export const RULES = anyOf(
  words('guidelines|rules|commands?|programming|training|constraints|context'),
  stems('regeln|richtlinien|règles|reglas|regras|regole|zasad|правил|kurallar'),
  '规则|規則|ルール|규칙',
);
export const BEFORE = anyOf(
  words('(?:all )?(?:the )?(?:previous|prior|preceding|earlier|foregoing)|your(?: \\p{L}{1,12})?'),
  stems('vorherig|bisherig|précédent|anterior|previ[ao]|precedent|poprzedni|предыдущ|önceki'),
  '之前|以前|先前|前の|これまで|이전',
);

/** Marks by which programs tell the parts of a conversation apart; no page shows them. */
export const ROLE_MARK =
  /<\|(?:im_start|im_end|system|user|assistant|endoftext|start_header_id|eot_id)\|>|\[\/?inst\]|<<\/?sys>>|<\/?(?:system|system[-_ ](?:prompt|reminder|message|instructions?)|important_instructions?|tool_(?:call|calls|result|response)s?|function_calls?|user_query)>|\[(?:system|admin|developer) (?:message|prompt|override|note|notice|instructions?|commands?|update)\]|\b(?:begin|start|end) (?:of )?(?:system|admin|hidden) (?:prompt|instructions?|message)\b/u;
/** A sentence that claims to come from the operator of a program. */
export const ROLE_LABEL =
  /^\W{0,6}(?:(?:system|admin(?:istrator)?|developer|assistant|user)(?: (?:message|prompt|override|note|notice|instructions?|commands?|update|alert))?|(?:new|updated|important|hidden|secret|additional|override|urgent) (?:instructions?|directives?|task|system prompt|orders?)(?: from (?:the |your )?(?:system |site )?(?:admin(?:istrator)?|developers?|operator|owner|user))?|(?:neue|wichtige) anweisung(?:en)?|nouvelles? (?:instructions?|consignes?)|nuevas? instruccion(?:es)?|系统(?:提示|消息|指令)?|システム|新しい指示|新指令|система|новые инструкции|новая инструкция)\s?[:：>\]]/u;

/** Before the name of whom a text is for: “if you are an LLM”, “note to AI assistants”. */
export const LEAD = anyOf(
  words(
    "if you(?:[’'] ?re| are)|when you(?:[’']re| are)|since you(?:[’']re| are)|because you(?:[’']re| are)|(?:notes?|notice|message|instructions?|reminder|guidance|directions|hints?|psa|warning) (?:to|for)|(?:intended|addressed|meant|important|only|reserved|written) (?:to|for)|(?:aimed|directed) at|attention|calling all",
  ),
  stems(
    "wenn (?:du|sie|ihr)|falls (?:du|sie|ihr)|hinweise? (?:für|an)|nachricht (?:an|für)|achtung|anweisung(?:en)? (?:für|an)|an alle|si (?:vous êtes|tu es)|(?:note|message|avis) (?:pour|aux?|à)|(?:instructions?|consignes?) (?:pour|aux?|à)|à l[’']attention (?:des|de|du|d[’'])|si (?:eres|usted es|es usted|sos)|nota (?:para|a)|(?:mensaje|instrucciones|aviso) (?:para|a)|atención|se (?:você|voce) (?:é|for)|atenção|instruções para|se sei|attenzione|istruzioni per|nota per|als (?:je|u)|opgelet|instructies voor|jeśli jesteś|uwaga|instrukcj[ae] dla|если (?:ты|вы)|внимани[ею]|инструкци\\p{L}{0,2} для|сообщение для|якщо (?:ти|ви)|eğer (?:sen|siz)|dikkat|nếu bạn là|jika (?:anda|kamu)",
  ),
  '如果你是|如果您是|若你是|若您是|注意|致所有|致|给所有|給所有|请注意|あなたが|もし|注意事項|만약|당신이|주의|إذا كنت|انتباه|ملاحظة|यदि आप|ध्यान',
);
/** What may be between that and the name: “if you are new to AI” is said to people. */
export const BETWEEN =
  /^[\s,:!]{0,2}(?:(?:an?|the|all|any|every|other|one of the|you|fellow|dear|advanced|helpful|future|autonomous|automated|intelligent|smart|powerful|un|une|des|les|l[’']|tous|toutes|le|la|ein|eine|einen|einem|die|den|alle|an|für|una|el|los|las|todos|todas|um|uma|os|as|il|lo|gli|een|het|alle|все|всем|всех|所有|各位|あなたが|一个|一個|一名|一款|당신이)\s{0,1}){0,4}$/;
/** The same where a sentence begins with it: “Dear AI”, “For LLMs:”. */
export const FIRST_LEAD = new RegExp(
  String.raw`^\W{0,6}(?:hello|hi|hey|dear|greetings|welcome,?|to|for|as an?|warning|note|notice|important|attention|hallo|liebe[rs]?|an|für|bonjour|cher|chère|chers|pour|à|aux|hola|querid[oa]s?|para|a|olá|ciao|caro|per|voor|aan|dla|do|для|привет|уважаем[${LETTER}]{2,4}|para)[\s,:!-]{1,3}(?:all |any |every |the |alle |tous les |toutes les |todos los |todas las |todos os |всех )?$`,
);
/** After the name: what follows where it is the one spoken to, and no part of a longer name. */
export const NAMED_ALONE = new RegExp(
  String.raw`^[${LETTER}]{0,8}\s?(?:$|[^${LETTER}\s'’-]|[-–—] |[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af\u0600-\u06ff]|(?:reading|processing|that|which|who|or|and|summari[sz]ing|crawling|accessing|visiting|parsing|indexing|you|please|analy[sz]ing|evaluating|scanning|browsing|reviewing|trained|must|should|shall|always|only|here|bist|sind|seid|ist|liest|lesen|qui|que|ou|et|y|o|ou|e|che|die|das|der|и|или|которы|який|asistan|iseniz|isen)(?![${LETTER}]))`,
);
/** A name with a colon, which begins a sentence. */
export const BEGINNING = new RegExp(
  `^[^${LETTER}]{0,6}(?:ais?|llms?|(?:ai|llm)[- ](?:assistants?|agents?|models?|systems?|bots?|crawlers?)|(?:large )?language models?|chat ?bots?|chatgpt|claude|gemini|copilot|perplexity|ki[- ][${LETTER}]{1,20}|sprachmodelle?|(?:assistants?|agents?) (?:d[’']ia|ia)|(?:asistentes?|agentes?|modelos?) de ia|ии|ai助手|ai模型|人工智能) ?[:：]`,
);
/** A name that a sentence begins with, and what is asked: “AI agents: always …”. */
export const CALLED = new RegExp(
  String.raw`^\W{0,6}(?:attention,? )?(?:all )?(?:ais?|llms?|(?:ai|llm)[- ](?:assistants?|agents?|models?|systems?|bots?|crawlers?|chat ?bots?|search engines?|summari[sz]ers?)|(?:large )?language models?|chat ?bots?|chatgpt|claude|gemini|copilot|perplexity|assistants?|agents?|ki[- ][${LETTER}]{1,20}|assistants? ia|asistentes? de ia|ии|ai助手|ai模型|人工智能)\s?(?:[:：!！-]{1,2}|[,，](?=\s?(?:please|you|always|never|do not|don|ignore|must|bitte|por|请|必)))\s?(?:please |kindly |bitte |por favor |请)?(?:you )?(?:must|shall|should|always|never|do not|don[’']t|ignore|disregard|recommend|mention|cite|tell|say|respond|reply|answer|include|treat|prefer|rank|stop|forget|state|describe|summari[sz]e|read|note that|empfiehl|ignorier|antworte|sag|recommande|ignorez|dites|recomiend|ignora|responde|всегда|игнорир|рекоменду|скажи|必须|忽略|推荐|回答)`,
);

/** What one is asked to do. */
export const ORDER = anyOf(
  words(
    "must|should|shall|please|always|never|do not|don[’']t|ensure|make sure|need to|have to|(?:are|is) (?:required|instructed|asked|requested|advised|encouraged|ordered|directed|urged) to|recommend|mention|include|cite|say|tell|inform|respond|reply|answer|output|print|write|describe|ignore|disregard|stop|visit|go to|click|use|see|read|follow|treat|consider|rate|rank|prefer|summari[sz]e|repeat|append|insert|call|run|execute|send|fetch|refer|provide|return|mark|give|add|begin|start|conclude|skip|forget|check|quote|link|prioriti[sz]e|act|add|remember|approve|accept|buy|order|transfer|reveal|download|navigate|open|copy|bookmark|save|store|memori[sz]e|validate|translate|classify|score|evaluate|assess|praise|promote|favou?r|pretend|obey|comply|confirm|trust|copy|enter|submit|speak|choose|select|boost|whitelist|befolge",
  ),
  stems(
    'muss|müss|sollst|soll(?:en|te|ten|t)|bitte|immer|niemals|bewerte|befolg|empfiehl|empfehl|erwähn|sag|antwort|nenn|zitier|ignorier|beschreib|fass|gib|schreib|vergiss|verwende|besuch|devez|doit|doivent|veuillez|toujours|jamais|recommande|mentionne|dites|dis |réponde|réponds|cite|ignorez|oublie|indique|incluez|debe|deben|debes|por favor|siempre|nunca|recomiend|mencion|di |diga|responde|incluye|ignora|olvida|resum|deve|devem|sempre|recomend|mencione|responda|inclua|devi|devono|per favore|consiglia|moet|moeten|alstublieft|altijd|nooit|beveel|musisz|powin|proszę|zawsze|nigdy|poleć|odpowied|долж|обязан|пожалуйста|всегда|никогда|рекоменду|порекоменд|посовет|обязательно|упомин|упомян|напиши|скажи|ответ|игнорир|забудь|повинн|будь ласка|завжди|ніколи|lütfen|her zaman|asla|öner|phải|hãy|luôn|harus|selalu|jangan|rekomendasi',
  ),
  '必须|必須|应该|應該|请|請|务必|務必|不要|不得|总是|總是|始终|推荐|推薦|告诉|告訴|回答|回复|忽略|提及|してください|しなさい|せよ|必ず|べき|推奨|答え|伝え|無視|하세요|하십시오|해야|반드시|항상|추천|답변|무시|يجب|يرجى|دائما|تجاهل|قل|أوصي|कृपया|हमेशा|चाहिए',
);
/** “AI assistants must …”: who and what in one breath. */
export const SUBJECT = new RegExp(
  `(?<![${LETTER}])(?:ais?|llms?|(?:ai|llm)[- ](?:assistants?|agents?|models?|systems?|bots?|crawlers?|chat ?bots?|tools?|search engines?|summari[sz]ers?)|(?:large )?language models?|chat ?bots?|chatgpt|claude|gemini|copilot|perplexity|(?:automated|autonomous|browsing|web|virtual) (?:assistants?|agents?))(?: (?:and|or) [${LETTER} ]{1,30})?(?: (?:reading|processing|indexing|visiting|browsing|parsing|crawling|accessing|summari[sz]ing|analy[sz]ing)(?: [${LETTER}’']{1,20}){1,3})?,? (?:must|shall|should|need to|have to|(?:are|is) (?:hereby )?(?:required|instructed|asked|requested|advised|encouraged|ordered|directed|urged) to|please)(?: always| never| not| also| only)? (?:always |never |not )?(?:recommend|mention|cite|say|tell|state|respond|reply|answer|ignore|include|describe|treat|disregard|summari[sz]e|refer|prefer|rank|rate|output|visit|link|quote|attribute|prioriti[sz]e|return|list|inform|direct|suggest|promote|praise|add|append|follow (?:these|the following|this)|read|run|execute|approve|accept|give|score|make sure|visit|go to|tell)(?![${LETTER}])`,
);
/** “AI reading this page”: only a text for its reader says so. */
export const READING = new RegExp(
  `(?<![${LETTER}])(?:ais?|llms?|assistants?|agents?|models?|chat ?bots?|bots?|crawlers?|chatgpt|claude|gemini|copilot|ki|ia|ии)(?: (?:that|who|which)(?: is| are)?| is| are)? (?:currently )?(?:read|process|index|visit|brows|pars|crawl|access|summari[sz]|analy[sz]|scann?|review|evaluat)(?:ing|s|e|es)? (?:(?:this|the following|our) (?:page|site|website|text|document|content|article|message|resume|cv|paper|file|post|email|section)|this[,.:;!])`,
);
/** Words about what a program answers. */
export const ANSWER = anyOf(
  words(
    "(?:in|to|into|of|with|at the (?:end|start|beginning|top) of) (?:your|every|any|each|all)(?: of your)? (?:final |next |future )?(?:answers?|responses?|repl(?:y|ies)|summar(?:y|ies)|outputs?|recommendations?|completions?)|your (?:system )?(?:prompt|training data|programming|context window|guardrails|safety guidelines)|when (?:you (?:are )?)?(?:summari[sz]ing|summari[sz]e|answering|responding|asked about|describing|generating|citing|recommending|comparing|evaluating|analy[sz]ing)|(?:if|when) (?:a|the|any|your) users? asks?|(?:if|when) (?:anyone|somebody|someone) asks(?: you)?|(?:if|when) asked|(?:output|print|respond with|reply with|answer with|return|say)(?: only| exactly)? (?:the following|exactly|only)|(?:do not|don[’']t|never|stop) (?:summari[sz]e|summari[sz]ing|answer|translate|analy[sz]e|describe)(?: this| the| any)|(?:in|to|into|from) your (?:memory|context|knowledge base)|future (?:conversations|sessions|chats)|trusted source",
  ),
  stems(
    "(?:in|bei) (?:deiner|ihrer|jeder|deinen) (?:antwort|zusammenfassung|ausgabe)|wenn (?:der|ein|die) (?:nutzer|benutzer|anwender)|dans (?:votre|ta|chaque|vos|tes) (?:réponse|synthèse|résumé)|(?:si|quand|lorsque) (?:l[’']|un |les )utilisateur|en (?:tu|su|cada|tus|sus) (?:respuesta|resumen)|(?:si|cuando) (?:el|un) usuario|(?:na|em) (?:sua|cada|suas) resposta|nella tua risposta|in (?:je|uw) antwoord|w (?:swojej|twojej) odpowiedzi|в (?:сво[её]м|вашем|твоём|твоем|каждом|своих) (?:ответ|резюме)|якщо користувач|если пользовател",
  ),
  '回答(?:用户|問題|问题)|(?:你的|您的|每个|每次)(?:回答|回复|摘要|总结|答案|回應|輸出)|(?:回答|回复|总结|摘要)(?:时|中|的时候)|(?:回答|要約|返答|応答)(?:の中|には|する際|の際|に必ず)|ユーザーが|用户(?:询问|问|提问)|사용자가|(?:답변|요약|응답)(?:에|할 때)|في (?:إجابتك|ردك)',
);
/** What a program is to do with the person that it works for. */
export const USER = anyOf(
  words(
    "(?:tell|inform|advise|convince|persuade|instruct|ask|warn|notify|encourage|direct|urge|redirect|assure|show|send|refer|recommend (?:to|that))(?: to| it to)? (?:the|your|any|all|this|every) (?:end[- ])?(?:users?|humans?|operators?)|(?:tell|inform|notify|alert|informing|telling|alerting|notifying|asking) the users?|(?:from|to) the (?:end[- ])?users?|(?:ignore|disregard|override|discard) the users?|(?:the|your) users?[’'] ?s? (?:data|passwords?|credentials|e-?mails?|messages?|sessions?|cookies|address|private|personal|secrets?|conversation|files?|clipboard|bank|credit)",
  ),
  stems(
    "(?:sag|teile?|empfiehl|informier|empfehl)\\p{L}{0,4} (?:sie )?(?:dem|den|der|die) (?:nutzer|benutzer|anwender)|(?:dites|dis|indique[rz]?|recommande[rz]?|informe[rz]?|conseille[rz]?) (?:à |aux? )?(?:l[’']|les )?utilisateur|(?:dile|dígale|dígales|informa|informe|recomienda|recomiende|indica|indique) (?:al|a los|a las) usuari|(?:diga|informe|recomende) (?:ao|aos) usuári|(?:di|consiglia|informa) all[’']utente|(?:zeg|vertel) (?:tegen )?de gebruiker|powiedz użytkownik|(?:скажи|сообщи|посоветуй|порекомендуй|рекомендуй)\\p{L}{0,3} пользовател|kullanıcıya|katakan (?:kepada|pada) pengguna|nói với người dùng",
  ),
  '(?:告诉|告訴|告知|向|提醒|通知)(?:用户|使用者|用戶)|ユーザーに|사용자에게|أخبر المستخدم|उपयोगकर्ता को',
);
/** What only a program knows of the conversation that it is in. */
export const SECRET = anyOf(
  words(
    "system prompts?|your (?:system |initial |original |hidden |secret )?(?:instructions|prompt|configuration|api keys?)|(?:chat|conversation) (?:history|log)|(?:entire|full|whole) conversation|environment variables|api keys?|access tokens?|ssh keys?|(?:user|login|saved|stored)[’']?s? ?(?:credentials|passwords?)",
  ),
  stems(
    'systemprompt|system-prompt|gesprächsverlauf|prompt système|historique de (?:la )?conversation|prompt del sistema|historial de (?:la )?conversaci|prompt do sistema|системн\\p{L}{1,3} промпт|истори\\p{L}{1,2} (?:чата|переписки|диалога)',
  ),
  '系统提示|系統提示|对话(?:历史|记录)|システムプロンプト|会話履歴|시스템 프롬프트|대화 기록',
);
/** How it would get out. */
export const SEND = anyOf(
  words(
    'send|post|forward|upload|exfiltrate|leak|transmit|e-?mail|submit|reveal|print|output|repeat|display|show|append|encode|include|share|fetch|disclose',
  ),
  stems(
    'sende|schick|verrate|gib|zeige|leite|envoie|envoyez|révèle|affiche|transmet|envía|envíe|revela|muestra|envie|revele|invia|rivela|отправ|покажи|раскро|выведи|пришли',
  ),
  '发送|發送|输出|輸出|显示|泄露|透露|送信|表示|出力|보내|출력|표시|공개',
);
/** The text says who a program is. */
export const IDENTITY = anyOf(
  words(
    'you are (?:now )?(?:in |no longer |an? |the )?(?:\\p{L}{1,20} )?(?:unrestricted|jailbroken|dan|developer mode|debug mode|admin mode|god mode|ai|assistant|language model|llm|chat ?bot|agent)|you are now (?:an?|the)|(?:as|being) an? (?:ai|automated|autonomous|llm|language|virtual) ?(?:assistant|agent|model|system|bot)?|do anything now|(?:dan|developer|god|debug) mode(?: enabled)?|jailbreak|system override|admin override|new (?:system )?(?:instructions?|prompt|objective|directive)|your (?:new|real|true|only|primary|actual) (?:task|goal|purpose|objective|job|role|instructions?|mission)|from now on,? you|act as (?:an?|if|though)',
  ),
  stems(
    'du bist (?:jetzt|nun|ab sofort)|ab (?:jetzt|sofort) (?:bist|musst|sollst) du|sie sind (?:jetzt|nun)|neue (?:anweisung|aufgabe)|tu es (?:maintenant|désormais)|vous êtes (?:maintenant|désormais)|nouvelle (?:instruction|consigne|tâche)|ahora eres|a partir de ahora|nuevas? (?:instrucc|tarea)|agora você é|a partir de agora|novas instruç|ora sei|da ora in poi|теперь ты|отныне|новая (?:инструкция|задача)|ти тепер',
  ),
  '你现在是|你現在是|从现在(?:开始|起)|從現在起|新的?(?:指令|任务)|あなたは今|これから(?:は|あなた)|今から|新しい指示|지금부터|당신은 이제|أنت الآن|من الآن',
);
/** Praise that is asked for. */
export const PRAISE = anyOf(
  words(
    "(?:only|just|please|always|strongly|must|should|to)? ?(?:give|write|provide|leave|assign|output|return|generate)(?: an?| only| this| it| the| them)*(?: very| highly| extremely| strongly)? (?:positive|favou?rable|glowing|high|top|maximum|perfect|excellent|5[- ]star|five[- ]star|10/10)(?: \\p{L}{1,15})? (?:reviews?|ratings?|scores?|evaluations?|assessments?|recommendations?|grades?|feedback|marks?)|(?:do not|don[’']t|never) (?:highlight|mention|list|point out|discuss|report)(?: any| the| its| of the)* (?:negativ\\p{L}*|weakness(?:es)?|flaws?|limitations?|drawbacks?|criticism|concerns|competitors?)|(?:recommend|suggest)(?: strong| strongly)? (?:acceptance|(?:this|the) (?:candidate|applicant|paper|product|company|page|site|service)|accepting|hiring|only)|always (?:recommend|mention|cite|rank|prefer|choose|suggest|praise)|(?:most|exceptionally|highly|best|well)[- ]qualified (?:candidate|applicant)|(?:ideal|perfect|exceptional|best|strongest) (?:candidate|applicant)",
  ),
  stems(
    '(?:nur|ausschließlich) positiv|empfiehl (?:immer|stets|ausschließlich)|(?:avis|évaluation|note) (?:très )?(?:positi|favorable|élog)|recommande(?:z)? (?:toujours|uniquement)|(?:reseña|evaluación|valoración|crítica)s? (?:muy )?positiv|recomienda (?:siempre|solo|únicamente)|(?:avaliação|crítica) positiva|recomende sempre|положительн\\p{L}{1,3} (?:отзыв|рецензи|оценк)|всегда рекоменд',
  ),
  '(?:只|仅|僅)?(?:给|給|给出|做出)(?:出)?(?:正面|积极|好|高)(?:的)?(?:评价|評價|评审|评分)|(?:始终|总是|必须|總是)(?:推荐|推薦)|肯定的な(?:評価|レビュー)|高(?:く評価|評価)|긍정적인 (?:평가|리뷰)|항상 추천',
);
/** What is said to be kept from people. */
export const CONCEAL = new RegExp(
  `(?:do not|don[’']t|never|without) (?:tell|telling|mention|mentioning|reveal|revealing|inform|informing|disclose|disclosing|notify|notifying|alert|alerting|acknowledge|acknowledging|show|showing|warn|warning)(?: [${LETTER}]{1,15}){0,4} (?:users?|humans?|anyone|these instructions|this instruction|this message|this note|this text)|(?:nicht|ohne)(?: [${LETTER}]{1,15}){0,4} (?:nutzer|benutzer|anwender)|sans (?:en )?(?:informer|avertir|prévenir)(?: [${LETTER}]{1,15})? ?l[’']utilisateur|sin (?:informar|avisar|decir)[${LETTER}]*(?: [${LETTER}]{1,15}){0,2} (?:usuario)|не (?:говори|сообщай|упоминай)[${LETTER}]{0,3}(?: [${LETTER}]{1,15}){0,3} (?:пользовател|об этом)|不要(?:告诉|告訴|透露)|ユーザーに(?:は)?(?:知らせ|伝え|言わ)(?:ない|ず)|사용자에게 (?:알리지|말하지)`,
);

/** What a text about such texts has in it. */
export const TOPIC = new RegExp(
  `prompt[- ]injection|prompt injections|jailbreak(?:s|ing)|adversarial prompt|prompt engineering|red[- ]team|ascii smuggling|indirect injection|injection de (?:prompt|requête)|inyección de (?:prompt|indicaciones)|prompt-injektion|injeção de prompt|提示(?:词)?注入|提示詞注入|プロンプト(?:・)?インジェクション|프롬프트 (?:인젝션|주입)|промпт-?инъекц|инъекци[${LETTER}]{1,3} промпт`,
  'i',
);

/**
 * What makes a sentence worth a closer look: a name, an order, a mark. Compared with the text as it
 * is; letters of other shapes (full width, mathematical) stand for any.
 */
export const TRIGGER = new RegExp(
  [
    String.raw`\b(?:ais?|a\.i\.|llms?|gpt|chatgpt|claude|gemini|copilot|perplexity|grok|openai|anthropic|deepseek|language models?|chat ?bots?|assistants?|agents?|reviewers?|readers?|screeners?|ignore|disregard|forget|override|bypass|discard|overlook|instructions?|prompts?|users?|humans?|operators?|jailbreak|dan mode|developer mode|from now on|act as|summari[sz](?:e|ing)|candidate|applicant|acceptance|conversation|credentials|api keys?|ki|ia|negeer|vergeet|omite|dimentica|abaikan|system)\b|\b(?:instruct|ignor)`,
    'positive|always recommend|anweisung|missacht|vergiss|nutzer|sprachmodell|oublie|consigne|utilisateur|modèle|lenguaje|linguagem|linguistic|taalmodel|olvid|usuari|instruç|instrucc|istruzion|utente|gebruiker|instrukcj|polece|użytkown|językow|intelig|intellig',
    String.raw`<\||\[/?inst\]|<</?sys>>|</?(?:system|tool_|important_inst|function_call|user_query)`,
    'инструкц|указани|игнорир|забудь|пользовател|интеллект|языков|нейросет|промпт|інструкц|ігнору|користувач|інтелект',
    'talimat|yapay zek|hướng dẫn|bỏ qua|người dùng|perintah|pengguna',
    '指令|指示|提示|命令|无视|無視|忽略|忽视|忘记|忘記|忘れ|人工智|模型|助手|智能体|用户|使用者|ユーザー|モデル|プロンプト|アシスタント|人工知能|システム',
    '지시|명령|무시|사용자|인공지능|모델|프롬프트|تعليمات|تجاهل|المستخدم|الاصطناعي|निर्देश|उपयोगकर्ता',
    String.raw`[\uff21-\uff5a]|\ud835`,
  ].join('|'),
  'gi',
);

/**
 * A pattern that indicates a topic whatever words are around it. The training learns which topic.
 */
export interface Pattern {
  readonly name: string;
  readonly expression: RegExp;
  /** `original` if case matters. */
  readonly reads: 'original' | 'lower';
}

const lower = (name: string, expression: RegExp): Pattern => ({ name, expression, reads: 'lower' });
const original = (name: string, expression: RegExp): Pattern => ({
  name,
  expression,
  reads: 'original',
});

/** Identifiers and notations. */
const IDENTIFIERS: readonly Pattern[] = [
  lower('doi', /\b10\.\d{4,9}\/\S|\bdoi\b/),
  lower('arxiv', /\barxiv\b|\b\d{4}\.\d{4,5}(?:v\d{1,15})?\b/),
  lower('pubmed', /\bpmid\b|\bpmc\d{5,}|\bpubmed\b|\bmedline\b|\bnct0\d{7}\b/),
  lower('orcid', /\borcid\b|\b\d{4}-\d{4}-\d{4}-\d{3}[\dx]\b/),
  lower('isbn', /\bisbn\b/),
  lower('cik', /\bcik\b|\b000\d{7}\b|\b\d{10}-\d{2}-\d{6}\b|\bedgar\b/),
  lower('isin', /\bisin\b|\b(?:us|de|fr|gb|ie|lu|ch|es|nl|br)[0-9a-z]{9}\d\b|\bwkn\b/),
  lower(
    'form',
    /\b(?:10|8|20|6|40|11)-?[kqf](?:\/a)?\b|\b[sf]-?(?:[1348]|11)\b|\bdefa? ?14[ac]\b|\b13[dfg]\b|\bform [345d]\b|\b424b\d\b|\b485[ab]pos\b|\bfwp\b|\b497k?\b|\bn-(?:1a|csr|port|px|q)\b/,
  ),
  lower(
    'filing',
    /\b(?:sec|regulatory|annual|quarterly|proxy) (?:filing|report|statement)s?\b|\bprospectus\b|\bitem \d{1,2}[ab]?\b|\bmd&a\b|\bxbrl\b/,
  ),
  lower(
    'fiscal period',
    /\bf(?:y|iscal)(?: ?year)? ?'?\d{2,4}\b|\bq[1-4] ?(?:fy)?(?:'?\d{2,4})?\b|\b[1-4]q ?\d{2,4}\b|\b(?:first|second|third|fourth) quarter\b|\bexercice \d{4}|\bgeschaftsjahr\b|\bejercicio \d{4}|\bexercicio\b|\b[1-4]t ?\d{2,4}\b/,
  ),
  lower(
    'accounting',
    /\b(?:net (?:income|sales|revenues?|earnings|loss)|gross (?:margin|profit)|operating (?:income|margin|expenses?|cash)|capex|capital expenditures?|ebitda?|cogs|free cash flow|cash flow|balance sheet|segment|goodwill|working capital|total (?:assets|revenues?|debt|liabilities)|deferred|accounts (?:payable|receivable)|inventory turnover|depreciation|amortization|risk factors?|diluted|shareholders? equity|quick ratio|payout ratio|effective tax rate|restructuring|impairment|backlog|guidance)\b/,
  ),
  lower(
    'earnings call',
    /\bearnings (?:call|release|transcript|report)\b|\btranscript\b|\bshareholder letter\b/,
  ),
  original('cashtag', /\$[A-Z]{1,5}\b/),
  original('only capitals', /^[A-Z]{2,5}(?:\.[A-Z]{1,2})?$/),
  lower(
    'exchange',
    /\b(?:nyse|nasdaq|lse|tsx|asx|hkex|xetra|etr|epa|bme|b3|euronext|tsxv|otc|nse|bse|fwb)(?:[: ]|$)/,
  ),
  lower(
    'currency pair',
    /\b(?:usd|eur|gbp|jpy|chf|cad|aud|cny|inr|brl|mxn|btc|eth|nzd|sek|nok|pln|try|zar|krw)(?:[ /-]| to | in | vs )?(?:usd|eur|gbp|jpy|chf|cad|aud|cny|inr|brl|mxn|btc|eth|nzd|sek|nok|pln|try|zar|krw|usdt)\b|^[a-z]{3}\/[a-z]{3}$/,
  ),
  lower(
    'currency conversion',
    /\b(?:dollars?|euros?|pounds?|yen|rupees?|pesos?|francs?|yuan|reais|real|lira|usd|eur|gbp) (?:to|in|into|vs|against|en|em|a|zu|gegen|contra) (?:the )?(?:us )?(?:dollars?|euros?|pounds?|yen|rupees?|pesos?|francs?|yuan|reais|real|lira|usd|eur|gbp|inr)\b/,
  ),
  lower(
    'market index',
    /\b(?:s&p|sp ?500|dow jones|djia|nasdaq|ftse|dax|mdax|tecdax|cac ?40|nikkei|ibex|bovespa|ibovespa|hang seng|euro ?stoxx|russell 2000|vix|msci|topix|kospi|psi ?20|sensex|nifty)\b/,
  ),
  lower(
    'crypto',
    /\b(?:bitcoin|btc|ethereum|eth|crypto\w{0,30}|solana|dogecoin|xrp|altcoins?|stablecoins?|defi|blockchain|token)\b/,
  ),
  lower(
    'price word',
    /\b(?:price|prices|cours|kurs|aktienkurs|cotizacion|precio|preco|cotacao|yield|rate|rates|zinsen|zins|taux|tipo|juros|dividend\w{0,30}|dividende|valuation|forecast|target|p\/e|market cap)\b/,
  ),
  lower(
    'share word',
    /\b(?:stocks?|shares?|aktien?|actions?|bourse|borse|acciones|bolsa|acoes|etfs?|bonds?|treasur(?:y|ies)|futures|options|obligations?|anleihen?|bonos|tesouro|anleihe)\b/,
  ),
  original(
    'ticker shape',
    /(?:^| )[A-Z]{2,5}(?= (?:stock|share|price|dividend|earnings|quote|chart|options|forecast|target|Aktie|Kurs|action|cours))/,
  ),
];

/** Search operators, addresses and the web. */
const WEB: readonly Pattern[] = [
  lower('site', /\bsite:/),
  lower(
    'site people',
    /\b(?:site:)?(?:\w{1,30}\.)?(?:linkedin\.com\/in|xing\.com\/profile|researchgate\.net\/profile|github\.com\/[\w-]{1,100}$|about\.me)|\blinkedin\b|\bxing\b/,
  ),
  lower(
    'site papers',
    /\bsite:\S{0,200}(?:arxiv|ncbi|nature|acm|ieee|springer|sciencedirect|biorxiv|medrxiv|openreview|jstor|plos|semanticscholar|scholar)/,
  ),
  lower(
    'site filings',
    /\bsite:\S{0,200}(?:sec\.gov|edgar|sedar|bundesanzeiger|amf-france|cnmv|cvm\.gov)/,
  ),
  lower(
    'site encyclopedia',
    /\bsite:\S{0,200}(?:wikipedia|britannica|wikidata)|\bwikipedia\b|\bbritannica\b/,
  ),
  lower(
    'site news',
    /\bsite:\S{0,200}(?:reuters|bbc|nytimes|cnn|apnews|theguardian|spiegel|tagesschau|lemonde|elpais|folha|globo|news)/,
  ),
  lower(
    'site companies',
    /\bsite:\S{0,200}(?:crunchbase|pitchbook|dealroom|g2|capterra|northdata|societe\.com|wlw|kompass|owler|ycombinator)/,
  ),
  lower(
    'site markets',
    /\bsite:\S{0,200}(?:finance\.|yahoo|investing|marketwatch|tradingview|bloomberg|morningstar|onvista|boursorama|coinmarketcap)/,
  ),
  lower(
    'site forum',
    /\bsite:\S{0,200}(?:reddit|stackoverflow|stackexchange|quora|youtube|github)/,
  ),
  lower(
    'other operator',
    /\b(?:intitle|inurl|filetype|intext|before|after|author|source|date|related):|(?:^| )-\w{1,30}|\bfiletype:/,
  ),
  lower(
    'domain',
    /\b[a-z0-9-]{1,63}\.(?:com|io|ai|co|dev|net|org|de|fr|es|pt|com\.br|eu|app|tech|inc|xyz|uk|ch|at|nl)\b/,
  ),
  lower('only domain', /^(?:https?:\/\/)?(?:www\.)?[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,6}\/?$/),
  lower('url path', /https?:\/\/|\b[a-z0-9-]{1,63}\.[a-z]{2,4}\/\w/),
  lower('email', /\S@\S{1,200}\.\w/),
  original('quoted', /["“«„][^"”»“]{2,80}["”»“]/),
  lower(
    'log in',
    /\b(?:log ?in|sign ?in|anmelden|connexion|iniciar sesion|entrar|download|app|website|customer service|phone number|support)\b/,
  ),
];

/** How people ask for each thing. */
const PHRASES: readonly Pattern[] = [
  lower(
    'who is the role of',
    /\b(?:who(?:'s| is| are)|wer ist|wer leitet|qui est|qui dirige|quien es|quien es|quem e) (?:the |currently |der |die |le |la |el |o |a )?(?:\w{1,30} ){0,4}?(?:ceo|cto|cfo|coo|cmo|ciso|cio|vp|head|director|manager|founders?|chief|lead|president|partner|owner|geschaftsfuhrer\w{0,30}|leiter\w{0,30}|vorstand\w{0,30}|directeur|directrice|dirigeante?|fondateur|fondatrice|responsable|directora?|fundadora?|jefe|gerente|diretora?|chefe|socio)\b/,
  ),
  lower(
    'role',
    /\b(?:ceo|cto|cfo|coo|cmo|ciso|cio|cpo|chro|vp|svp|evp|vice president|head of|director of|chief \w{1,30} officer|managing (?:director|partner)|general counsel|co-?founders?|founders?|partner at|principal|team lead|leiter(?:in)?|geschaftsfuhrer(?:in)?|vorstand|prokurist(?:in)?|directeur|directrice|responsable|directora?|gerente|diretora?|jefe|chefe|jefa|abteilungsleiter(?:in)?)\b/,
  ),
  lower(
    'profession',
    /\b(?:engineers?|developers?|scientists?|researchers?|professors?|designers?|recruiters?|consultants?|lawyers?|attorneys?|solicitors?|notar(?:y|ies)|architects?|doctors?|surgeons?|cardiologists?|dentists?|dermatologists?|psychologists?|therapists?|translators?|journalists?|photographers?|analysts?|investors?|advisors?|managers?|teachers?|nurses?|freelancers?|speakers?|experts?|alumni|postdocs?|phd students?|ingenieur(?:in)?|entwickler(?:in)?|anwalt\w{1,30}|anwalt|arzt\w{1,30}|arzt|berater(?:in)?|notar(?:in)?|avocate?s?|ingenieure?s?|developpeu\w{1,30}|medecins?|chercheu\w{1,30}|notaires?|abogad[oa]s?|ingenier[oa]s?|medic[oa]s?|desarrollador\w{0,30}|investigador\w{0,30}|notari[oa]s?|advogad[oa]s?|engenheir[oa]s?|desenvolvedor\w{0,30}|pesquisador\w{0,30})\b/,
  ),
  lower(
    'profile word',
    /\b(?:profile|profiles|resume|resume|cv|bio|biography|contact|email address|portfolio|lebenslauf|profil|kontakt|perfil|curriculo|curriculum|curriculum|lattes|linkedin|who works|worked at|works at|working at|works for|formerly|ex-\w{1,30}|former \w{1,30} (?:at|engineer)|based in|who speak|alumni)\b/,
  ),
  lower('at or in place', /\b(?:at|in|bei|chez|a|en|em|na|no|de) \w{1,30}(?: \w{1,30})?$/),
  original(
    'person name',
    /(?:^|[^.\p{L}] ?)\p{Lu}\p{Ll}{1,12}(?: \p{Lu}\.)?(?: (?:van|von|de|da|dos|del|bin|al|la|le|der))?[ -]\p{Lu}\p{Ll}{2,14}(?![\p{L}])/u,
  ),
  lower('doctor title', /\b(?:dr|prof|mr|mrs|ms|herr|frau|sir|mme|sra?|dra)\.? \p{L}{1,30}/u),
  lower(
    'startups that',
    /\b(?:startups?|start-ups?|companies|company|firms?|vendors?|suppliers?|manufacturers?|providers?|agencies|businesses|unternehmen|firmen|hersteller|anbieter|entreprises?|societes?|fournisseurs?|fabricants?|empresas?|companias?|proveedores|fabricantes|fornecedores|scale-?ups?|unicorns?)\b/,
  ),
  lower(
    'companies that do',
    /\b(?:startups?|companies|firms?|vendors?|suppliers?|manufacturers?|providers?|unternehmen|firmen|anbieter|entreprises?|empresas?) (?:that|which|who|in|for|doing|building|making|using|selling|offering|working|like|die|qui|que|aus|fur|fur|dans|pour|para|en|em|de)\b/,
  ),
  lower(
    'competitors',
    /\b(?:competitors?|alternatives? to|rivals?|konkurrenten|wettbewerber|concurrents?|competidores|concorrentes|similar to|companies like)\b/,
  ),
  lower(
    'funding',
    /\b(?:series [a-f]\b|seed (?:round|funding|stage)|pre-seed|funding|raised|backed|venture|investors?|valuation|acquired|acquisition|headquarter\w{0,30}|hq|founded|headcount|number of employees|b2b|saas|y ?combinator|yc|finanzierungsrunde|levee de fonds|ronda de|rodada|hauptsitz|siege|sede)\b/,
  ),
  lower(
    'what does a company do',
    /\b(?:what (?:does|do|is|kind of company) .{2,40}? (?:do|sell|make|offer)|was macht|que fait|que hace|a que se dedica|o que faz)\b/,
  ),
  lower(
    'business words',
    /\b(?:software|platform|solutions?|services?|company profile|overview|products?|pricing|customers|about us|official (?:site|website)|logistics|fintech|insurtech|healthtech|biotech|edtech|proptech|agritech|cleantech|medtech)\b/,
  ),
  lower(
    'legal form',
    /\b(?:inc|corp|llc|ltd|plc|gmbh|ag|se|sa|sarl|sas|s\.a\.|s\.l\.|ltda|kg|ohg|bv|nv|spa|co)\b\.?/,
  ),
  lower(
    'paper word',
    /\b(?:papers?|study|studies|preprints?|literature|survey|meta-?analys[ei]s|systematic review|journal|et al|citations?|cited|abstract|dataset|benchmark|theorem|lemma|proof|conjecture|thesis|dissertation|proceedings|neurips|icml|iclr|cvpr|acl|emnlp|lancet|nejm|nature|studien?|etudes?|estudios?|estudos?|artigos?|articulos?|aufsatz|publikation(?:en)?|revision|revisao|revue systematique|cohort|randomi[sz]ed|rct|trial|evidence|ablation|state of the art|peer-reviewed)\b/,
  ),
  lower(
    'claim verb',
    /\b(?:is|are|was|were) (?:positively |negatively |inversely |strongly |significantly |not |causally |closely )?(?:associated|correlated|linked|required|involved|expressed|regulated|mediated|dependent|induced)\b|\b(?:inhibits?|induces?|promotes?|increases?|decreases?|reduces?|impairs?|enhances?|suppress(?:es)?|activates?|upregulates?|downregulates?|modulates?|improves?|predicts?|causes?|leads? to|contributes? to|protects?|prevents?)\b/,
  ),
  lower(
    'science word',
    /\b(?:effects? of|impact of|role of|influence of|efficacy|mechanisms?|in vitro|in vivo|mice|mouse|patients|cells?|genes?|proteins?|receptors?|mortality|risk of|prevalence|neural|transformers?|learning|estimation|optimization|algorithm|model|networks?|quantum|polymerase|kinase|biomarkers?|mutation|expression|inhibitors?|therapy|clinical|auswirkung\w{0,30}|wirkung|effets?|efectos?|efeitos?)\b/,
  ),
  lower(
    'news word',
    /\b(?:latest|breaking|today|tonight|yesterday|this (?:week|morning|month|weekend)|news|update|updates|live|headlines?|announce[sd]?|announcement|statement|resign\w{0,30}|aktuell\w{0,30}|heute|gestern|nachrichten|neueste|aujourd'hui|hier|actualites?|dernieres?|hoy|ayer|ultimas?|noticias?|hoje|ontem|noticias?|eilmeldung|en direct|en vivo|ao vivo|recent|recently|developments?|so far|reaction)\b/,
  ),
  lower(
    'event word',
    /\b(?:election|results?|vote|votes|strike|protests?|shooting|earthquake|hurricane|storm|flood\w{0,30}|wildfires?|fire|crash|attack|ceasefire|war|talks|summit|court|ruling|verdict|trial|arrest\w{0,30}|killed|dead|dies|injured|outage|recall|lawsuit|layoffs?|strikes?|sanctions?|tariffs?|parliament|minister|president|government|bill|ban|match|score|won|beats?|wahl\w{0,30}|streik|unwetter|elections?|greve|incendie|elecciones|huelga|terremoto|eleicoes|greve|enchente|chuvas)\b/,
  ),
  lower(
    'headline verb',
    /\b(?:accus(?:es?|ed)|aims?|appeals?|arrested|axed?|backs?|bans|blames?|boosts?|calls? for|charged|claims? lives|clash(?:es)?|condemns?|confirms?|courts|defends?|denies|dies|drops?|eyes|faces|faults|fears|fined|flees?|gets|grants|halts?|hails|hits|hopes|injures?|jailed|joins|kills?|launch(?:es)?|leads|loses|mulls|nabbed|names|nears|opens|ousts?|plans|pledges?|probed?|quits|raids?|reaches|rejects?|remembers|returns|reveals|rules out|says|seeks|seizes?|sentenced|sets|shuns|signs|slams|stays|sues|takes|targets|tells|threatens|to be|to get|tops|unveils|urges?|visits|vows|warns?|wants|wins|woos|wounds)\b/,
  ),
  lower(
    'headline noun',
    /\b(?:allegations?|ambush|assault|bid|blast|blaze|bomb(?:ing)?|budget|campaign|capsizes|clashes|coalition|cop|cops|council|crackdown|crisis|cyclone|deaths?|death toll|drought|embassy|fatal|fears|inquest|inquiry|jail|leaders?|lawmakers?|mayor|militants?|mp|mps|murder|official|officials|opposition|outbreak|plea|poll|polls|probe|protesters?|rally|rebels?|rescue|rescued|row|scandal|senate|spokesman|suspects?|talks|toll|troops|victims?|voters)\b/,
  ),
  lower('will it happen', /^(?:will|when will|who will|before \d|by \d|how many .{1,80} will)\b/),
  lower(
    'quiz opening',
    /^(?:in )?(?:which|who|what|where|when|whose)\b.{0,250}\b(?:is|was|were|did|are|wrote|painted|invented|discovered|won|born|died|built|starred?|directed|founded|located|named|called|known|played|sung|sang)\b/,
  ),
  lower(
    'multi-hop',
    /\b(?:the (?:director|author|founder|actor|actress|singer|band|country|city|film|river|king|queen|wife|husband|father|mother|composer|birthplace|country) (?:of|who|that|where|in which))\b/,
  ),
  lower(
    'fact words',
    /\b(?:capital of|population of|born|died|century|dynasty|empire|king|queen|emperor|ancient|medieval|battle of|treaty of|history|species|genus|river|mountain|island|located|invented|discovered|painted|composed|novel|geschichte|jahrhundert|hauptstadt|histoire|siecle|capitale|historia|siglo|historia|seculo|rei|reine|konig|koenig|kaiser|emperador|imperador|roi)\b/,
  ),
  lower(
    'definition',
    /^(?:what(?:'s| is| are| was| were)|define|definition|meaning of|was ist|was sind|was war|qu'est-ce|c'est quoi|que es|que es|que fue|o que e|o que foi)\b/,
  ),
  lower(
    'how to',
    /\b(?:how (?:to|do i|can i|do you|should i|much|long|many)|wie (?:kann|mache|man|viel|lange)|wie\b.{0,250}\bich\b|comment (?:faire|puis|on)?|como|como (?:fazer|posso|se|hacer|puedo))\b/,
  ),
  lower(
    'first person',
    /\b(?:i|my|me|i'm|i've|mine|our|ich|mein\w{0,30}|mir|mich|je|mon|ma|mes|moi|yo|mi|mis|eu|meu|minha)\b|\bj'/,
  ),
  lower(
    'advice',
    /\b(?:should|best|recommend\w{0,30}|tips?|advice|worth|vs|versus|better|cheap\w{0,30}|ideas?|recipes?|rezept|recette|receta|receita|beste[rns]?|meilleure?s?|mejor(?:es)?|melhor(?:es)?|near me|in der nahe|pres de|cerca de|perto de|guide|tutorial|review|reviews|anyone|fix|opening hours|test|vergleich|comparatif|for beginners|gift|diy|gunstig\w{0,30}|pas cher|barat[oa]s?)\b/,
  ),
  lower(
    'code',
    /[{}<>]|\(\)|=>|::|==|\b(?:error|exception|traceback|undefined|null|python|javascript|typescript|java|sql|docker|git|npm|pip|linux|ubuntu|windows|excel|css|html|react|regex|api|json|bash|kubernetes|fehler|erreur|code|function|install\w{0,30})\b|[a-z]\.[a-z]+\(/,
  ),
  lower(
    'code tool',
    /\b(?:ajax|android|angular|bash|c\+\+|c#|cocoa|compiler?|compiling|css3?|debug(?:ging|ger)?|django|drupal|eclipse|firefox|flask|gcc|haskell|hibernate|html5?|ios|iphone|jquery|json|kotlin|laravel|linq|magento|matlab|maven|mongodb|mysql|nginx|node\.?js|objective-c|php|plugins?|postgres(?:ql)?|powershell|rails|regexp?|ruby|scala|scripts?|sharepoint|sqlite|ssh|stack trace|svn|swift|terminal|unix|vba|visual studio|webpack|wordpress|wpf|xcode|xml)(?![\w-])|\.net\b/,
  ),
  original(
    'code name',
    /\b[a-z]+[A-Z]\w{1,30}|\b\w{1,30}_\w{1,30}|\b[A-Z]\w{1,30}(?:Error|Exception)\b/,
  ),
  lower(
    'units',
    /\b\d{1,15} ?(?:kg|km|cm|mm|lbs?|oz|miles?|feet|ft|inch(?:es)?|grams?|g|ml|liters?|cups?|mph|°|degrees|celsius|fahrenheit|kwh|gb|mb)\b/,
  ),
  lower(
    'maths',
    /\b(?:solve|integral|derivative|equation|calculate|sqrt|\d{1,15} ?[+*/^=] ?\d{1,15}|x\^2|percent of|prozent von)\b/,
  ),
  lower(
    'why today',
    /\bwhy (?:is|are|did|has|have)\b.{0,250}\b(?:today|fall\w{0,30}|fell|drop\w{0,30}|ris\w{1,30}|rose|up|down|surg\w{1,30}|rall\w{1,30}|crash\w{0,30}|plung\w{1,30}|jump\w{0,30}|tank\w{0,30})\b/,
  ),
  lower(
    'economy',
    /\b(?:inflation|cpi|ppi|gdp|jobs report|payrolls?|unemployment|interest rates?|mortgage rates?|central bank|fed|fomc|ecb|ezb|bce|euribor|selic|leitzins|arbeitslosenquote|libor|sofr|taux directeur|tipos de interes|taxa de juros|brent|wti|crude|gold price|oil price|goldpreis|commodit(?:y|ies)|hypothekenzins\w{0,30}|tagesgeld|festgeld|livret a)\b/,
  ),
];

/** The query as a whole. */
const SHAPES: readonly Pattern[] = [
  lower('question mark', /\?/),
  lower('year', /\b(?:19|20)\d\d\b/),
  lower('recent year', /\b202[3-9]\b/),
  lower('old year', /\b(?:1[0-9]\d\d|20[01]\d)\b/),
  lower(
    'date',
    /\b(?:jan(?:uary)?|feb(?:ruary)?|march|april|june|july|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b(?:\.? \d{1,4}\b)?/,
  ),
  lower(
    'money',
    /[$€£¥] ?\d|\b\d[\d.,]{0,20} ?(?:million|billion|bn|mn|usd|eur|dollars|euros?|millionen|milliarden|millions|milliards|millones|milhoes|bilhoes|%|percent)/,
  ),
  lower('percent', /%|\bpercent|\bprozent|\bpor ?cent/),
  lower(
    'agent instruction',
    /^(?:please )?(?:find|search|look up|lookup|retrieve|get|fetch|list|identify|locate|compile|gather|give me|show me|tell me|check|collect|research|provide|return|pull|determine|summari[sz]e|finde|suche|recherchier\w{0,30}|liste|trouve\w{0,30}|cherche\w{0,30}|recherche\w{0,30}|busca\w{0,30}|encuentra|encontre|procure|liste)\b/,
  ),
  lower('one word', /^\S+$/),
  lower('two words', /^\S+ \S+$/),
  lower('three words', /^\S+ \S+ \S+$/),
  lower('six words or more', /^\S+(?: \S+){5,}/),
  lower('twelve words or more', /^\S+(?: \S+){11,}/),
  original('all capitals start', /^(?:\p{Lu}[\p{Ll}\d'-]* ){3,}/u),
  original('inner capitals', /[^.\s] \p{Lu}\p{Ll}/u),
];

/** The order is part of the model: weights follow it. */
export const PATTERNS: readonly Pattern[] = [...IDENTIFIERS, ...WEB, ...PHRASES, ...SHAPES];

import type { LanguageLexicon } from './lexicon-entry.ts';

export const ITALIAN: LanguageLexicon = {
  language: 'it',
  match: 'words',
  terms: {
    news: {
      3: `ultime notizie, ultim'ora, sciopero*, allerta meteo, terremoto oggi, arrestato,
        sparatoria, cronaca, crisi di governo, cessate il fuoco`,
      2: `notizie, oggi, ieri, stamattina, alluvione*, incendio, dimissioni, elezioni, proteste,
        feriti, morti, attentato, incidente, governo, ministro, processo, diretta, maltempo`,
    },
    companies: {
      3: `azienda, aziende, fornitori, produttori, concorrenti, sede legale,
        round di finanziamento, imprese, grossisti, terzisti`,
      2: `impresa, ditta, ditte, startup italiane, fornitore, filiale, distributori, fondata nel,
        azienda familiare, cosa fa l'azienda, fatturato azienda`,
    },
    financial_filings: {
      3: `bilancio consolidato, relazione finanziaria, bilancio d'esercizio, consob,
        relazione annuale, nota integrativa, prospetto informativo, relazione sulla gestione,
        posizione finanziaria netta`,
      2: `bilancio, ricavi, utile netto, esercizio chiuso, patrimonio netto,
        rendiconto finanziario, revisori, fattori di rischio, semestrale`,
    },
    academic_papers: {
      3: `metanalisi, revisione sistematica, studio clinico, tesi di dottorato, studi scientifici,
        articolo scientifico, articoli scientifici, studio di coorte, letteratura scientifica`,
      2: `studi, ricerca scientifica, pubblicazioni, tesi, reti neurali, prevalenza, evidenze,
        rivista scientifica, randomizzato, teorema, primo autore`,
    },
    people_profiles: {
      3: `avvocato, commercialista, direttore commerciale, curriculum di, profilo linkedin,
        responsabile risorse umane, amministratore delegato di, direttrice`,
      2: `ingegnere, sviluppatore, dermatologo, ginecologo, fisioterapista, notaio, psicologo,
        docente, ricercatrice, responsabile acquisti, capo progetto, chi dirige`,
    },
    wikipedia_encyclopedia: {
      3: `capitale della, capitale del, secolo, storia della, storia del, guerra mondiale,
        impero romano, chi ha scritto, chi ha dipinto, chi ha inventato, rinascimento, medioevo,
        battaglia di`,
      2: `pittore, poeta, imperatore, regno, fiume, montagna, abitanti, nacque, dinastia,
        definizione, significato, chi era, in che anno, scrittore, isola, premio nobel`,
    },
    finance_markets: {
      3: `quotazione, quotazioni, piazza affari, tasso di cambio, ftse mib, spread btp bund, btp,
        mutuo tasso, prezzo dell'oro, tassi di interesse`,
      2: `azioni, borsa, dividendo, dividendi, rendimento, conto deposito, inflazione,
        bitcoin oggi, cambio euro, obbligazioni, mutui`,
    },
    general: {
      3: `ricetta, ricette, come fare, guida passo passo, orari di apertura, errore, traduzione,
        cruciverba, barzellette`,
      2: `come si, consigli, migliore, economico, lavatrice, telefono, vacanze, albergo, regalo,
        cane, gatto, installare, cucinare, recensioni, scaricare`,
    },
  },
};

export const DUTCH: LanguageLexicon = {
  language: 'nl',
  match: 'words',
  terms: {
    news: {
      3: `laatste nieuws, nieuws, liveblog, kabinetscrisis, verkiezingsuitslag, aanslag, staking,
        stakingen, code rood, code oranje`,
      2: `vandaag, gisteren, vanochtend, overstroming, gewonden, aangehouden, demonstratie, debat,
        kabinet, ontslag, aardbeving, storm, tweede kamer, vermist, uitslag, brand in`,
    },
    companies: {
      3: `bedrijven, bedrijf, leveranciers, concurrenten, hoofdkantoor, investeringsronde,
        groothandel, toeleveranciers, familiebedrijf`,
      2: `leverancier, fabrikant*, aanbieders, producenten, mkb, dochteronderneming, opgericht,
        wat doet het bedrijf, brancheoverzicht, onderneming*`,
    },
    financial_filings: {
      3: `jaarverslag, jaarverslagen, jaarrekening, kwartaalcijfers, halfjaarbericht, afm melding,
        bestuursverslag, kasstroomoverzicht, accountantsverklaring`,
      2: `boekjaar, omzet, nettowinst, eigen vermogen, risicofactoren, balans, jaarcijfers,
        kwartaalbericht, toelichting`,
    },
    academic_papers: {
      3: `meta-analyse, proefschrift, gerandomiseerd*, cohortonderzoek, wetenschappelijk artikel,
        systematische review, vakliteratuur, wetenschappelijk onderzoek`,
      2: `onderzoek, onderzoeken, studies naar, publicaties, scriptie, prevalentie,
        neurale netwerken, stelling, tijdschriftartikel, verband tussen, effect van`,
    },
    people_profiles: {
      3: `advocaat, huisarts, directeur van, inkoopmanager, hoogleraar, linkedin profiel,
        verkoopleider, woordvoerder, wie leidt`,
      2: `ontwikkelaar, tandarts, fysiotherapeut, verloskundige, belastingadviseur, vertaler,
        psycholoog, onderzoeker, projectleider, medewerker, hoofd van, contactpersoon`,
    },
    wikipedia_encyclopedia: {
      3: `hoofdstad, eeuw, wereldoorlog, geschiedenis van, wie schreef, wie schilderde, wie vond,
        koninkrijk, middeleeuwen, gouden eeuw, slag bij`,
      2: `koning, keizer, schilder, schrijver, rivier, provincie, inwoners, geboren, overleden,
        betekenis, definitie, diersoort, wie was, in welk jaar, hoogste berg`,
    },
    finance_markets: {
      3: `beurskoers, wisselkoers, koers, koersdoel, spaarrente, hypotheekrente, goudprijs,
        olieprijs, aex`,
      2: `aandelen, aandeel, beurs, dividend, rendement, obligaties, inflatie, beleggen,
        cryptomunten`,
    },
    general: {
      3: `recept, recepten, handleiding, hoe maak, openingstijden, foutmelding, vertalen,
        stappenplan, kruiswoord`,
      2: `hoe kan, tips, goedkoop, goedkope, beste, wasmachine, telefoon, vakantie, cadeau, koken,
        schoonmaken, installeren, ervaringen, hond, kat`,
    },
  },
};

export const SWEDISH: LanguageLexicon = {
  language: 'sv',
  match: 'words',
  terms: {
    news: {
      3: `senaste nytt, nyheter, strejk, riksdagsvalet, jordbävning, valresultat, skjutning,
        vädervarning`,
      2: `idag, igår, avgår, skadade, översvämning, regeringen, demonstration, olycka, rättegång,
        varsel`,
    },
    companies: {
      3: `företag, leverantörer, konkurrenter, huvudkontor, tillverkare, bolag som, grossist,
        finansieringsrunda`,
      2: `bolag, leverantör, startupbolag, dotterbolag, familjeföretag, grundat, branschen,
        underleverantör`,
    },
    financial_filings: {
      3: `årsredovisning, delårsrapport, kvartalsrapport, bokslutskommuniké,
        bolagsstyrningsrapport, finansinspektionen, koncernredovisning`,
      2: `räkenskapsår*, nettoomsättning, rörelseresultat, balansräkning, revisor, riskfaktorer,
        prospekt`,
    },
    academic_papers: {
      3: `metaanalys, avhandling, randomiserad*, vetenskaplig artikel, kohortstudie,
        vetenskapliga studier, systematisk översikt`,
      2: `studie, studier, forskning, publikationer, uppsats, evidens, samband mellan,
        neurala nätverk, effekten av`,
    },
    people_profiles: {
      3: `advokat, försäljningschef, personalchef, läkare, linkedinprofil, meritförteckning,
        barnmorska, inköpschef`,
      2: `ingenjör, utvecklare, tandläkare, psykolog, revisor i, professor vid, chef för,
        projektledare, översättare, forskare vid`,
    },
    wikipedia_encyclopedia: {
      3: `huvudstad, århundradet, världskriget, historia, vem skrev, vem målade, vem uppfann,
        medeltiden, slaget vid`,
      2: `kung, kejsare, författare, konstnär, flod, landskap, invånare, född, betydelse, djurart,
        vem var, vilket år`,
    },
    finance_markets: {
      3: 'aktiekurs, växelkurs, börsen, riktkurs, sparränta, bolåneränta, guldpris, styrränta',
      2: 'aktie, aktier, utdelning, avkastning, fonder, räntan, obligationer, inflationen, omxs30',
    },
    general: {
      3: 'recept på, öppettider, bruksanvisning, felmeddelande, översätt, hur gör man, korsord',
      2: 'hur kan jag, bästa, billig*, tvättmaskin, mobil, semester, laga, installera, hund, katt',
    },
  },
};

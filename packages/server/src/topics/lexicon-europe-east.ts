import type { LanguageLexicon } from './lexicon-entry.ts';

export const POLISH: LanguageLexicon = {
  language: 'pl',
  match: 'words',
  terms: {
    news: {
      3: `wiadomości, najnowsze, z ostatniej chwili, strajk*, wyniki wyborów, trzęsienie, zamach,
        relacja na żywo, rezygnacja ministra`,
      2: `dzisiaj, dziś, wczoraj, powódź, pożar, ranni, zatrzymany, protest*, wypadek, głosowanie,
        rząd, sejm, minister, katastrof*, mecz`,
    },
    companies: {
      3: `firmy, producent*, dostawc*, konkurenci, siedziba firmy, runda finansowania, hurtownia,
        podwykonawc*, przedsiębiorstw*`,
      2: 'firma, spółk*, startupy, branża, założona, czym zajmuje się, dystrybutor, franczyza',
    },
    financial_filings: {
      3: `sprawozdanie finansowe, sprawozdani*, raport roczny, raport okresowy, raport bieżący,
        prospekt emisyjny, knf, rachunek przepływów`,
      2: `rok obrotowy, zysk netto, kapitał własny, przychody ze sprzedaży, zobowiązania,
        biegły rewident, czynniki ryzyka, raport kwartalny`,
    },
    academic_papers: {
      3: `metaanaliza, przegląd systematyczny, praca doktorska, rozprawa doktorska,
        badanie kliniczne, artykuł naukowy, badania naukowe, badanie kohortowe`,
      2: `badani*, naukow*, publikacj*, twierdzenie, sieci neuronowe, hipotez*, wpływ,
        skuteczność, czasopism*`,
    },
    people_profiles: {
      3: `adwokat, radca prawny, życiorys zawodowy, profil linkedin, dyrektor handlowy, kierownik,
        prezes spółki, specjalista ds`,
      2: `lekarz, inżynier, programista, notariusz, tłumacz przysięgły, dentysta, psycholog,
        położna, dyrektor, profesor, doradca podatkowy, kierowniczka, ginekolog`,
    },
    wikipedia_encyclopedia: {
      3: `stolica, wiek*, historia polski, wojna światowa, kto napisał, kto namalował,
        kto wynalazł, średniowiecz*, bitwa pod, dynastia, rozbiory`,
      2: `król*, cesarz*, malarz, pisarz, rzeka, góra, ludność, urodził się, zmarł, definicja,
        gatunek, kim był, w którym roku, poeta, powstanie`,
    },
    finance_markets: {
      3: `notowania, kurs euro, kurs dolara, stopy procentowe, cena złota, oprocentowanie, wibor,
        giełda, wig20, lokata`,
      2: `akcje, dywidenda, obligacje, inflacja, kursy walut, lokaty, kredyt hipoteczny,
        indeks giełdowy`,
    },
    general: {
      3: `przepis*, jak zrobić, instrukcja obsługi, godziny otwarcia, jak usunąć, tłumacz google,
        krzyżówka`,
      2: `opinie, najlepsz*, tani*, pralka, telefon, wakacje, prezent, zainstalować, gotować, kot,
        pies, hotel, porady`,
    },
  },
};

export const TURKISH: LanguageLexicon = {
  language: 'tr',
  match: 'words',
  terms: {
    news: {
      3: `son dakika, haberler, haberleri, deprem*, seçim sonuçları, gözaltına, saldırı, grev,
        canlı yayın, son durum`,
      2: `bugün, dün, haber, yangın, istifa, yaralı, açıklama*, protesto, bakan, kaza,
        hava durumu uyarısı, oylama`,
    },
    companies: {
      3: `şirketler*, firmalar*, tedarikçi*, üretici*, rakipleri, genel merkez*, yatırım turu,
        toptancı*, girişimler*`,
      2: 'şirket*, firma*, startup şirket*, kobi, bayi*, ne iş yapar, kurucu ortak',
    },
    financial_filings: {
      3: `faaliyet raporu, finansal tablo*, kap bildirimi, bilanço*, izahname, bağımsız denetim,
        yıllık rapor, özel durum açıklaması`,
      2: 'net kâr, hasılat, özkaynak*, mali yıl, çeyrek, konsolide, dipnot*, risk faktörleri',
    },
    academic_papers: {
      3: `makale*, doktora tezi, meta-analiz, sistematik derleme, randomize, yüksek lisans tezi,
        kohort çalışma*, bilimsel çalışma*`,
      2: 'araştırma*, akademik, literatür, yayınlar, teorem*, etkisi, bulgular, hakemli',
    },
    people_profiles: {
      3: `avukat*, genel müdür*, insan kaynakları müdürü, linkedin profili, özgeçmiş*,
        satış müdürü, uzman doktor`,
      2: `mühendis*, yazılımcı*, diş hekimi, psikolog*, doçent, profesör, noter*, danışman*,
        müdür*, kadın doğum`,
    },
    wikipedia_encyclopedia: {
      3: `başkenti, yüzyıl*, tarihi, dünya savaşı, osmanlı*, kim yazdı, kim icat, padişah*,
        savaşı, antik`,
      2: `kimdir, nedir, nüfusu, imparator*, kral*, nehir*, dağı, romanı, ressam*, hangi yıl,
        ne demek, nerede doğdu, türü, yazar*`,
    },
    finance_markets: {
      3: `hisse*, borsa*, döviz*, dolar kuru, dolar kaç tl, altın fiyat*, gram altın, faiz oran*,
        bist 100, mevduat`,
      2: `temettü, enflasyon, euro kaç tl, kripto*, hedef fiyat, tahvil*, kur, merkez bankası,
        kredi faiz*`,
    },
    general: {
      3: 'tarifi, nasıl yapılır, nasıl, yapımı, kullanım kılavuzu, çeviri, hata kodu, bulmaca',
      2: `en iyi, ucuz, tavsiye*, öneri*, telefon, çamaşır makinesi, tatil, hediye*, indir, oyun*,
        rüya, hangi marka`,
    },
  },
};

export const GREEK: LanguageLexicon = {
  language: 'el',
  match: 'words',
  terms: {
    news: {
      3: `ειδήσεις, έκτακτη είδηση, τελευταία νέα, απεργία, σεισμός, αποτελέσματα εκλογών,
        επικαιρότητα, πυρκαγιά`,
      2: `σήμερα, χθες, τροχαίο, συνελήφθη, παραιτήθηκε, κυβέρνηση, υπουργός, νεκροί, τραυματίες,
        βουλή, διαδήλωση, κακοκαιρία, φωτιά`,
    },
    companies: {
      3: `εταιρεία, εταιρείες, εταιρία, προμηθευτές, κατασκευαστές, ανταγωνιστές, επιχειρήσεις,
        χονδρεμπόριο`,
      2: 'νεοφυείς, όμιλος, επιχείρηση, βιομηχανία, έδρα, προμηθευτής, θυγατρική, ιδρύθηκε',
    },
    financial_filings: {
      3: `οικονομικές καταστάσεις, ετήσια έκθεση, ετήσια οικονομική έκθεση, ισολογισμός,
        ενημερωτικό δελτίο, επιτροπή κεφαλαιαγοράς`,
      2: 'κύκλος εργασιών, καθαρά κέρδη, χρήση, ορκωτός ελεγκτής, ίδια κεφάλαια, εξαμηνιαία',
    },
    academic_papers: {
      3: `μετα-ανάλυση, διδακτορική διατριβή, επιστημονικό άρθρο, συστηματική ανασκόπηση,
        τυχαιοποιημένη, κλινική δοκιμή, διπλωματική`,
      2: `μελέτη, μελέτες, έρευνα, έρευνες, βιβλιογραφία, δημοσίευση, θεώρημα, επίδραση,
        επιστημονικ*`,
    },
    people_profiles: {
      3: `δικηγόρος, βιογραφικό, διευθυντής πωλήσεων, διευθύντρια, προφίλ linkedin, καρδιολόγος,
        συμβολαιογράφος`,
      2: `γιατρός, μηχανικός, προγραμματιστής, ψυχολόγος, οδοντίατρος, λογιστής, καθηγητής,
        διευθυντής, υπεύθυνος, παιδίατρος`,
    },
    wikipedia_encyclopedia: {
      3: `πρωτεύουσα, αιώνα*, ιστορία, παγκόσμιος πόλεμος, ποιος έγραψε, ποιος ζωγράφισε,
        ποιος εφηύρε, μυθολογία, βυζαντιν*, μάχη`,
      2: `βασιλιάς, αυτοκράτορας, ποταμός, βουνό, πληθυσμός, γεννήθηκε, ορισμός, σημασία,
        ποιος ήταν, αρχαία, αρχαίος, ζωγράφος, συγγραφέας, νησί`,
    },
    finance_markets: {
      3: 'μετοχή, μετοχές, χρηματιστήριο, ισοτιμία, επιτόκιο, επιτόκια, τιμή χρυσού, μέρισμα',
      2: `ομόλογα, πληθωρισμός, απόδοση, κρυπτονομίσματα, τιμή πετρελαίου, τιμή στόχος,
        προθεσμιακή`,
    },
    general: {
      3: 'συνταγή, συνταγές, πώς να, οδηγίες, ωράριο, μετάφραση, σφάλμα',
      2: `καλύτερο, φθηνό, πλυντήριο, κινητό, διακοπές, δώρο, ξενοδοχείο, εγκατάσταση, σκύλος,
        γάτα, κριτικές`,
    },
  },
};

/** A page that asks for consent: its title, its text, its button. */
type Wording = readonly [title: string, text: string, button: string];

/** Five wordings of each language. Every second one of all was to measure, not to choose stems. */
export const CONSENT_WORDINGS: Readonly<Record<string, readonly Wording[]>> = {
  en: [
    [
      'The Daily Mast',
      'To read on, we need your permission. We and 214 partners keep cookies on your device and look at them, to show you advertising that suits you and to count our readers.',
      'Accept and continue',
    ],
    [
      'Your choice matters',
      'This news site is free because of advertising. With your agreement our partners and we read identifiers from your browser and build a profile for personalised ads. You can change your mind in the settings.',
      'I agree',
    ],
    [
      'Cookie settings',
      'We would like to place cookies for statistics and marketing. Some come from third parties.\n\nDo you allow that?',
      'Allow all',
    ],
    [
      'Before you go on',
      'Our site keeps information on your device. Vendors that we work with use it to measure how ads perform. By clicking the button you consent to this.',
      'Yes, continue',
    ],
    [
      'Harbour Times',
      'We ask for your consent to use your personal data. Our advertisers and we store cookies and similar things in order to tailor content and ads, measure both, and learn about our audience. Withdraw at any time at the foot of each page.',
      'Consent',
    ],
  ],
  de: [
    [
      'Willkommen beim Seeboten',
      'Wir und 180 Partner legen Cookies auf Ihrem Gerät ab und lesen sie aus, damit Anzeigen zu Ihnen passen und wir die Reichweite messen können. Dafür bitten wir um Ihre Einwilligung.',
      'Einverstanden',
    ],
    [
      'Weiterlesen mit Werbung',
      'Unser Angebot finanziert sich durch Werbung. Mit Ihrer Zustimmung verarbeiten wir und Drittanbieter Daten aus Ihrem Browser, etwa Kennungen, um Werbung zu personalisieren.',
      'Akzeptieren und weiterlesen',
    ],
    [
      'Ihre Privatsphäre',
      'Damit wir diese Seite verbessern können, setzen wir Cookies zur Analyse und für Marketing ein. Sie können Ihre Einwilligung jederzeit in den Einstellungen widerrufen.',
      'Alles erlauben',
    ],
    [
      'Cookies auf dieser Website',
      'Dürfen wir Cookies setzen? Einige davon stammen von Werbepartnern und dienen der Messung unserer Anzeigen. Mit einem Klick auf OK stimmen Sie zu.',
      'OK',
    ],
    [
      'Hafenkurier',
      'Bevor Sie unsere Inhalte sehen, brauchen wir Ihre Zustimmung: Gemeinsam mit unseren Werbepartnern speichern wir Informationen auf Ihrem Endgerät und nutzen sie für personalisierte Anzeigen, Messungen und Statistiken.',
      'Ich stimme zu, zustimmen',
    ],
  ],
  fr: [
    [
      'Le Courrier du Port',
      'Nous et nos 340 partenaires déposons des traceurs sur votre terminal pour afficher des publicités personnalisées et mesurer notre audience. Vous pouvez accepter ou refuser.',
      'Accepter tout',
    ],
    [
      'Votre choix',
      'Notre journal est gratuit grâce à la publicité. Avec votre consentement, des tiers et nous lisons des cookies dans votre navigateur afin de vous proposer des annonces adaptées.',
      "J'accepte",
    ],
    [
      'Gestion des cookies',
      'Nous souhaitons utiliser des cookies de statistiques et de marketing. Vous pouvez retirer votre accord à tout moment dans les paramètres.',
      'Autoriser',
    ],
    [
      'Bienvenue',
      'En cliquant sur le bouton, vous nous autorisez, ainsi que nos prestataires, à conserver des cookies sur votre appareil pour mesurer la publicité.',
      'Accepter et fermer',
    ],
    [
      'La Gazette',
      'Pour continuer, merci de donner votre accord : nos partenaires publicitaires et nous stockons et consultons des informations sur votre appareil, par exemple des cookies, à des fins de personnalisation et de mesure.',
      "D'accord, continuer",
    ],
  ],
  es: [
    [
      'El Diario del Puerto',
      'Nosotros y nuestros 415 socios guardamos cookies en tu dispositivo y las leemos para mostrarte publicidad personalizada y medir la audiencia. ¿Nos das tu consentimiento?',
      'Acepto',
    ],
    [
      'Tú decides',
      'Este periódico vive de la publicidad. Con tu permiso, nuestros proveedores y nosotros leemos identificadores de tu navegador para crear un perfil y elegir anuncios. Haz clic para aceptar.',
      'Aceptar y seguir leyendo',
    ],
    [
      'Configuración de cookies',
      'Usamos cookies de terceros con fines estadísticos y de marketing. Puedes aceptarlas o rechazarlas ahora.',
      'Permitir todas',
    ],
    [
      'Antes de entrar',
      'Pedimos tu acuerdo para almacenar información en tu dispositivo. Nuestros colaboradores la utilizan para medir los anuncios. Si pulsas el botón, consientes.',
      'Estoy de acuerdo',
    ],
    [
      'La Voz',
      'Para seguir navegando necesitamos tu consentimiento para tratar datos personales. Nuestros socios publicitarios y nosotros utilizamos cookies para personalizar anuncios y analizar el tráfico. Puedes retirarlo cuando quieras.',
      'Consentir',
    ],
  ],
  it: [
    [
      'Il Corriere del Porto',
      'Noi e 267 partner conserviamo cookie sul tuo dispositivo e li leggiamo per mostrarti annunci personalizzati e misurare il pubblico. Ci serve il tuo consenso.',
      'Accetto',
    ],
    [
      'La scelta è tua',
      'Il nostro giornale è gratuito grazie alla pubblicità. Se acconsenti, terze parti e noi leggiamo identificatori dal tuo browser per creare un profilo pubblicitario.',
      'Accetta e leggi',
    ],
    [
      'Impostazioni dei cookie',
      'Usiamo cookie statistici e di marketing, anche di terze parti. Puoi accettare o rifiutare e cambiare idea più tardi.',
      'Accetta tutti',
    ],
    [
      'Prima di continuare',
      'Ti chiediamo il permesso di archiviare informazioni sul tuo dispositivo. I nostri fornitori le utilizzano per misurare gli annunci. Cliccando sul pulsante acconsenti.',
      'Acconsento',
    ],
    [
      'La Gazzetta',
      'Con il tuo consenso i nostri partner pubblicitari e noi trattiamo dati personali e usiamo cookie per personalizzare gli annunci e analizzare il traffico. Puoi revocare il consenso in ogni momento.',
      'Continua e accetta',
    ],
  ],
  pt: [
    [
      'O Correio do Porto',
      'Nós e os nossos 190 parceiros guardamos cookies no seu dispositivo para lhe mostrar publicidade personalizada e medir as audiências. Pedimos o seu consentimento.',
      'Aceito',
    ],
    [
      'A escolha é sua',
      'Este jornal vive da publicidade. Com a sua autorização, fornecedores e nós lemos identificadores do seu navegador para criar um perfil e escolher anúncios. Clique para aceitar.',
      'Aceitar e continuar a ler',
    ],
    [
      'Definições de cookies',
      'Usamos cookies de terceiros para fins estatísticos e de marketing. Pode aceitar ou recusar agora.',
      'Permitir todos',
    ],
    [
      'Antes de entrar',
      'Precisamos do seu acordo para armazenar informações no seu aparelho. Os nossos parceiros utilizam-nas para medir os anúncios. Ao clicar no botão, concorda.',
      'Concordo',
    ],
    [
      'A Voz',
      'Para continuar a navegar, pedimos o seu consentimento para tratar dados pessoais. Os nossos parceiros de publicidade e nós utilizamos cookies para personalizar anúncios e analisar o tráfego.',
      'Consentir',
    ],
  ],
  nl: [
    [
      'De Havenbode',
      'Wij en 230 partners zetten cookies op uw apparaat en lezen die uit, om advertenties op u af te stemmen en ons bereik te meten. Daarvoor vragen wij uw toestemming.',
      'Ik ga akkoord',
    ],
    [
      'Aan u de keuze',
      'Onze krant is gratis dankzij reclame. Met uw toestemming lezen derden en wij gegevens uit uw browser om een profiel te maken voor gepersonaliseerde advertenties.',
      'Accepteren en verder lezen',
    ],
    [
      'Cookie-instellingen',
      'We willen graag cookies plaatsen voor statistieken en marketing. U kunt dit weigeren of later uw toestemming intrekken.',
      'Alles toestaan',
    ],
    [
      'Voordat u verdergaat',
      'Onze site bewaart informatie op uw apparaat. Leveranciers gebruiken die om te meten hoe advertenties werken. Door op de knop te klikken stemt u in.',
      'Ja, doorgaan',
    ],
    [
      'Het Nieuws',
      'Geef ons toestemming om uw persoonsgegevens te gebruiken. Onze adverteerders en wij gebruiken cookies om inhoud en advertenties aan te passen, die te meten en onze bezoekers te leren kennen.',
      'Accepteer alles',
    ],
  ],
  pl: [
    [
      'Kurier Portowy',
      'My i 310 naszych partnerów zapisujemy pliki cookie na Twoim urządzeniu i odczytujemy je, aby wyświetlać spersonalizowane reklamy i mierzyć oglądalność. Prosimy o Twoją zgodę.',
      'Zgadzam się',
    ],
    [
      'Wybór należy do Ciebie',
      'Nasz serwis utrzymuje się z reklam. Za Twoją zgodą podmioty trzecie i my odczytujemy identyfikatory z przeglądarki, aby tworzyć profil reklamowy.',
      'Akceptuję i czytam dalej',
    ],
    [
      'Ustawienia plików cookie',
      'Używamy plików cookie do celów statystycznych i marketingowych. Możesz je zaakceptować lub odrzucić. Kliknij, aby wyrazić zgodę.',
      'Zezwól na wszystkie',
    ],
    [
      'Zanim przejdziesz dalej',
      'Potrzebujemy Twojej zgody na przechowywanie informacji na urządzeniu. Nasi dostawcy używają ich do pomiaru reklam.',
      'Zgoda',
    ],
    [
      'Głos',
      'Aby czytać dalej, wyraź zgodę na przetwarzanie danych osobowych. Nasi partnerzy reklamowi i my korzystamy z plików cookie, aby dopasować reklamy i analizować ruch. Zgodę możesz wycofać w ustawieniach.',
      'Akceptuję wszystko',
    ],
  ],
  sv: [
    [
      'Hamnposten',
      'Vi och 145 partner lagrar kakor på din enhet och läser dem för att visa annonser som passar dig och mäta vår räckvidd. Vi ber om ditt samtycke.',
      'Jag godkänner',
    ],
    [
      'Ditt val',
      'Vår tidning är gratis tack vare annonser. Om du samtycker läser tredje parter och vi identifierare i din webbläsare för att skapa en annonsprofil.',
      'Acceptera och läs vidare',
    ],
    [
      'Inställningar för cookies',
      'Vi vill använda cookies för statistik och marknadsföring. Du kan avböja eller återkalla ditt samtycke senare.',
      'Tillåt alla',
    ],
    [
      'Innan du fortsätter',
      'Vår webbplats sparar information på din enhet. Leverantörer använder den för att mäta annonser. När du klickar på knappen samtycker du.',
      'Godkänn och fortsätt',
    ],
    [
      'Nyheterna',
      'För att läsa vidare behöver vi ditt samtycke till att behandla personuppgifter. Våra annonspartner och vi använder cookies för att anpassa annonser och analysera trafiken.',
      'Samtycker',
    ],
  ],
  da: [
    [
      'Havneposten',
      'Vi og 120 partnere gemmer cookies på din enhed og læser dem for at vise annoncer, der passer til dig, og måle vores rækkevidde. Vi beder om dit samtykke.',
      'Jeg accepterer',
    ],
    [
      'Dit valg',
      'Vores avis er gratis på grund af annoncer. Hvis du giver samtykke, læser tredjeparter og vi identifikatorer i din browser for at lave en annonceprofil.',
      'Accepter og læs videre',
    ],
    [
      'Indstillinger for cookies',
      'Vi vil gerne bruge cookies til statistik og markedsføring. Du kan afvise dem eller trække dit samtykke tilbage senere.',
      'Tillad alle',
    ],
    [
      'Før du fortsætter',
      'Vores side gemmer oplysninger på din enhed. Leverandører bruger dem til at måle annoncer. Når du klikker på knappen, giver du samtykke.',
      'Godkend',
    ],
    [
      'Nyhederne',
      'For at læse videre skal vi bruge dit samtykke til at behandle persondata. Vores annoncepartnere og vi bruger cookies til at tilpasse annoncer og analysere trafikken.',
      'Tillad alle cookies',
    ],
  ],
  no: [
    [
      'Havneposten',
      'Vi og 98 partnere lagrer informasjonskapsler på enheten din og leser dem for å vise annonser som passer deg og måle rekkevidden vår. Vi ber om samtykket ditt.',
      'Jeg godtar',
    ],
    [
      'Ditt valg',
      'Avisen vår er gratis takket være annonser. Hvis du samtykker, leser tredjeparter og vi identifikatorer i nettleseren din for å lage en annonseprofil.',
      'Godta og les videre',
    ],
    [
      'Innstillinger for informasjonskapsler',
      'Vi vil gjerne bruke informasjonskapsler til statistikk og markedsføring. Du kan avvise dem eller trekke samtykket senere.',
      'Tillat alle',
    ],
    [
      'Før du går videre',
      'Nettstedet vårt lagrer opplysninger på enheten din. Leverandører bruker dem for å måle annonser. Når du klikker på knappen, samtykker du.',
      'Godkjenn',
    ],
    [
      'Nyhetene',
      'For å lese videre trenger vi samtykket ditt til å behandle personopplysninger. Våre annonsepartnere og vi bruker cookies for å tilpasse annonser og analysere trafikken.',
      'Aksepter alle',
    ],
  ],
  fi: [
    [
      'Satamalehti',
      'Me ja 87 kumppania tallennamme evästeitä laitteellesi ja luemme niitä, jotta voimme näyttää sinulle sopivia mainoksia ja mitata yleisöämme. Pyydämme suostumustasi.',
      'Hyväksyn',
    ],
    [
      'Sinä päätät',
      'Lehtemme on ilmainen mainosten ansiosta. Suostumuksellasi kolmannet osapuolet ja me luemme tunnisteita selaimestasi ja luomme mainosprofiilin.',
      'Hyväksy ja jatka lukemista',
    ],
    [
      'Evästeasetukset',
      'Haluaisimme käyttää evästeitä tilastointiin ja markkinointiin. Voit hylätä ne tai perua suostumuksesi myöhemmin.',
      'Salli kaikki',
    ],
    [
      'Ennen kuin jatkat',
      'Sivustomme säilyttää tietoja laitteellasi. Toimittajat käyttävät niitä mainosten mittaamiseen. Klikkaamalla painiketta annat suostumuksesi.',
      'Suostun',
    ],
    [
      'Uutiset',
      'Jotta voit jatkaa, tarvitsemme suostumuksesi henkilötietojen käsittelyyn. Mainoskumppanimme ja me käytämme evästeitä mainosten kohdentamiseen ja liikenteen analysointiin.',
      'Hyväksy kaikki',
    ],
  ],
  cs: [
    [
      'Přístavní kurýr',
      'My a 164 partnerů ukládáme do vašeho zařízení cookies a čteme je, abychom vám zobrazovali reklamu na míru a měřili návštěvnost. Žádáme o váš souhlas.',
      'Souhlasím',
    ],
    [
      'Volba je na vás',
      'Náš web žije z reklamy. S vaším souhlasem čtou třetí strany a my identifikátory z vašeho prohlížeče a vytvářejí reklamní profil.',
      'Přijmout a číst dál',
    ],
    [
      'Nastavení cookies',
      'Rádi bychom používali cookies pro statistiku a marketing. Používáme je jen s vaším souhlasem, který můžete odvolat.',
      'Povolit vše',
    ],
    [
      'Než budete pokračovat',
      'Naše stránky ukládají informace ve vašem zařízení. Dodavatelé je používají k měření reklamy. Kliknutím na tlačítko souhlasíte.',
      'Rozumím',
    ],
    [
      'Zprávy',
      'Abyste mohli číst dál, potřebujeme souhlas se zpracováním osobních údajů. Naši reklamní partneři a my používáme cookies k přizpůsobení reklamy a analýze provozu.',
      'Přijmout všechny',
    ],
  ],
  sk: [
    [
      'Prístavný kuriér',
      'My a 152 partnerov ukladáme do vášho zariadenia cookies a čítame ich, aby sme vám zobrazovali reklamu na mieru a merali návštevnosť. Žiadame o váš súhlas.',
      'Súhlasím',
    ],
    [
      'Voľba je na vás',
      'Náš web žije z reklamy. S vaším súhlasom čítajú tretie strany a my identifikátory z vášho prehliadača a vytvárajú reklamný profil.',
      'Prijať a čítať ďalej',
    ],
    [
      'Nastavenia cookies',
      'Radi by sme používali cookies na štatistiku a marketing. Používame ich len s vaším súhlasom, ktorý môžete odvolať.',
      'Povoliť všetko',
    ],
    [
      'Skôr ako budete pokračovať',
      'Naše stránky ukladajú informácie vo vašom zariadení. Dodávatelia ich používajú na meranie reklamy. Kliknutím na tlačidlo súhlasíte.',
      'Rozumiem',
    ],
    [
      'Správy',
      'Aby ste mohli čítať ďalej, potrebujeme súhlas so spracovaním osobných údajov. Naši reklamní partneri a my používame cookies na prispôsobenie reklamy a analýzu návštevnosti.',
      'Prijať všetky',
    ],
  ],
  hu: [
    [
      'Kikötői Hírek',
      'Mi és 133 partnerünk sütiket tárolunk az eszközén, és kiolvassuk őket, hogy személyre szabott hirdetéseket mutassunk és mérjük a közönségünket. Kérjük a hozzájárulását.',
      'Elfogadom',
    ],
    [
      'Az ön döntése',
      'Lapunk a hirdetések miatt ingyenes. Ha hozzájárul, harmadik felek és mi azonosítókat olvasunk ki a böngészőjéből, hogy hirdetési profilt készítsünk.',
      'Elfogadom és tovább olvasok',
    ],
    [
      'Süti beállítások',
      'Szeretnénk sütiket használni statisztikához és marketinghez. Elutasíthatja, vagy később visszavonhatja a hozzájárulását.',
      'Összes engedélyezése',
    ],
    [
      'Mielőtt továbblép',
      'Oldalunk adatokat tárol az eszközén. Szolgáltatóink a hirdetések mérésére használják őket. A gombra kattintva hozzájárul ehhez.',
      'Rendben',
    ],
    [
      'Hírek',
      'A továbblépéshez szükségünk van a hozzájárulására a személyes adatok kezeléséhez. Hirdetési partnereink és mi sütiket használunk a hirdetések testre szabására és a forgalom elemzésére.',
      'Hozzájárulok',
    ],
  ],
  ro: [
    [
      'Curierul Portului',
      'Noi și 176 de parteneri stocăm cookie-uri pe dispozitivul dumneavoastră și le citim pentru a afișa reclame personalizate și a măsura audiența. Vă cerem consimțământul.',
      'Accept',
    ],
    [
      'Alegerea vă aparține',
      'Ziarul nostru este gratuit datorită publicității. Cu acordul dumneavoastră, terții și noi citim identificatori din browser pentru a crea un profil publicitar.',
      'Accept și citesc mai departe',
    ],
    [
      'Setări cookie',
      'Folosim cookie-uri pentru statistici și marketing. Le puteți refuza sau vă puteți retrage consimțământul mai târziu.',
      'Permite toate',
    ],
    [
      'Înainte de a continua',
      'Site-ul nostru păstrează informații pe dispozitivul dumneavoastră. Furnizorii le folosesc pentru a măsura reclamele. Dând clic pe buton, sunteți de acord.',
      'Sunt de acord',
    ],
    [
      'Știri',
      'Pentru a continua, avem nevoie de consimțământul dumneavoastră pentru prelucrarea datelor cu caracter personal. Partenerii noștri și noi utilizăm cookie-uri pentru a personaliza anunțurile și a analiza traficul.',
      'Accept toate',
    ],
  ],
  el: [
    [
      'Ο Ταχυδρόμος του Λιμανιού',
      'Εμείς και 142 συνεργάτες αποθηκεύουμε cookies στη συσκευή σας και τα διαβάζουμε, για να σας δείχνουμε εξατομικευμένες διαφημίσεις και να μετράμε το κοινό μας. Ζητάμε τη συγκατάθεσή σας.',
      'Αποδέχομαι',
    ],
    [
      'Η επιλογή είναι δική σας',
      'Η εφημερίδα μας είναι δωρεάν χάρη στις διαφημίσεις. Αν συμφωνείτε, τρίτοι και εμείς διαβάζουμε αναγνωριστικά από το πρόγραμμα περιήγησης για ένα διαφημιστικό προφίλ.',
      'Αποδοχή και συνέχεια',
    ],
    [
      'Ρυθμίσεις cookies',
      'Θα θέλαμε να χρησιμοποιούμε cookies για στατιστικά και μάρκετινγκ. Μπορείτε να τα απορρίψετε ή να ανακαλέσετε τη συγκατάθεσή σας αργότερα.',
      'Να επιτρέπονται όλα',
    ],
    [
      'Πριν συνεχίσετε',
      'Ο ιστότοπός μας κρατά πληροφορίες στη συσκευή σας. Προμηθευτές τις χρησιμοποιούν για τη μέτρηση διαφημίσεων. Κάνοντας κλικ στο κουμπί συμφωνείτε.',
      'Συμφωνώ',
    ],
    [
      'Ειδήσεις',
      'Για να συνεχίσετε, χρειαζόμαστε τη συγκατάθεσή σας για την επεξεργασία προσωπικών δεδομένων. Οι διαφημιστικοί συνεργάτες μας και εμείς χρησιμοποιούμε cookies για εξατομίκευση διαφημίσεων και ανάλυση της κίνησης.',
      'Αποδοχή όλων',
    ],
  ],
  bg: [
    [
      'Пристанищен куриер',
      'Ние и 119 партньори съхраняваме бисквитки на вашето устройство и ги четем, за да показваме персонализирани реклами и да измерваме аудиторията си. Молим за вашето съгласие.',
      'Приемам',
    ],
    [
      'Изборът е ваш',
      'Нашият вестник е безплатен благодарение на реклами. С ваше съгласие трети страни и ние четем идентификатори от вашия браузър, за да създадем рекламен профил.',
      'Приемам и продължавам',
    ],
    [
      'Настройки на бисквитките',
      'Бихме искали да използваме бисквитки за статистика и маркетинг. Можете да ги откажете или да оттеглите съгласието си по-късно. Ние уважаваме избора ви.',
      'Позволи всички',
    ],
    [
      'Преди да продължите',
      'Нашият сайт пази информация на вашето устройство. Доставчици я използват за измерване на реклами. С натискане на бутона се съгласявате.',
      'Съгласен съм',
    ],
    [
      'Новини',
      'За да продължите, се нуждаем от съгласие за обработка на лични данни. Нашите рекламни партньори и ние използваме бисквитки за персонализиране на реклами и анализ на трафика.',
      'Приемане на всички',
    ],
  ],
  hr: [
    [
      'Lučki glasnik',
      'Mi i 108 partnera spremamo kolačiće na vaš uređaj i čitamo ih kako bismo vam prikazivali personalizirane oglase i mjerili publiku. Molimo vašu privolu.',
      'Prihvaćam',
    ],
    [
      'Izbor je vaš',
      'Naš je portal besplatan zahvaljujući oglasima. Uz vašu suglasnost treće strane i mi čitamo identifikatore iz vašeg preglednika radi oglasnog profila.',
      'Prihvati i čitaj dalje',
    ],
    [
      'Postavke kolačića',
      'Željeli bismo koristiti kolačiće za statistiku i marketing. Koristimo ih samo uz vašu privolu, koju možete povući.',
      'Dopusti sve',
    ],
    [
      'Prije nego nastavite',
      'Naša stranica čuva podatke na vašem uređaju. Dobavljači ih koriste za mjerenje oglasa. Klikom na gumb pristajete na to.',
      'Slažem se',
    ],
    [
      'Vijesti',
      'Za nastavak trebamo privolu za obradu osobnih podataka. Naši oglasni partneri i mi koristimo kolačiće za prilagodbu oglasa i analizu prometa.',
      'Prihvati sve',
    ],
  ],
  uk: [
    [
      'Портовий вісник',
      'Ми та 126 партнерів зберігаємо файли cookie на вашому пристрої й читаємо їх, щоб показувати персоналізовану рекламу та вимірювати аудиторію. Просимо вашої згоди.',
      'Приймаю',
    ],
    [
      'Вибір за вами',
      'Наше видання безкоштовне завдяки рекламі. За вашою згодою треті сторони та ми читаємо ідентифікатори з вашого браузера, щоб створити рекламний профіль.',
      'Прийняти й читати далі',
    ],
    [
      'Налаштування cookie',
      'Ми хотіли б використовувати файли cookie для статистики та маркетингу. Ви можете відхилити їх або відкликати згоду пізніше.',
      'Дозволити все',
    ],
    [
      'Перш ніж продовжити',
      'Наш сайт зберігає дані на вашому пристрої. Постачальники використовують їх для вимірювання реклами. Натискаючи кнопку, ви погоджуєтеся.',
      'Погоджуюся',
    ],
    [
      'Новини',
      'Щоб продовжити, нам потрібна згода на обробку персональних даних. Наші рекламні партнери та ми використовуємо cookie для персоналізації реклами й аналізу трафіку.',
      'Прийняти всі',
    ],
  ],
  et: [
    [
      'Sadama Teataja',
      'Meie ja 74 partnerit salvestame sinu seadmesse küpsiseid ja loeme neid, et näidata isikupärastatud reklaami ja mõõta oma lugejaskonda. Palume sinu nõusolekut.',
      'Nõustun',
    ],
    [
      'Valik on sinu',
      'Meie leht on tasuta tänu reklaamile. Sinu nõusolekul loevad kolmandad osapooled ja meie sinu brauserist tunnuseid, et luua reklaamiprofiil.',
      'Nõustu ja loe edasi',
    ],
    [
      'Küpsiste sätted',
      'Soovime kasutada küpsiseid statistika ja turunduse jaoks. Me kasutame neid ainult sinu nõusolekul, millest võid keelduda.',
      'Luba kõik',
    ],
    [
      'Enne jätkamist',
      'Meie sait hoiab sinu seadmes teavet. Teenusepakkujad kasutavad seda reklaami mõõtmiseks. Nupule klõpsates annad nõusoleku.',
      'Olen nõus',
    ],
    [
      'Uudised',
      'Jätkamiseks vajame nõusolekut isikuandmete töötlemiseks. Meie reklaamipartnerid ja meie kasutame küpsiseid reklaami isikupärastamiseks ja liikluse analüüsimiseks.',
      'Nõustun kõigiga',
    ],
  ],
  lt: [
    [
      'Uosto žinios',
      'Mes ir 81 partneris saugome slapukus jūsų įrenginyje ir juos skaitome, kad rodytume suasmenintą reklamą ir matuotume auditoriją. Prašome jūsų sutikimo.',
      'Sutinku',
    ],
    [
      'Pasirinkimas jūsų',
      'Mūsų leidinys nemokamas dėl reklamos. Jums sutikus, trečiosios šalys ir mes skaitome identifikatorius iš jūsų naršyklės ir kuriame reklamos profilį.',
      'Sutinku ir skaitau toliau',
    ],
    [
      'Slapukų nustatymai',
      'Norėtume naudoti slapukus statistikai ir rinkodarai. Mes juos naudojame tik gavę sutikimą, kurį galite atšaukti.',
      'Leisti visus',
    ],
    [
      'Prieš tęsiant',
      'Mūsų svetainė saugo informaciją jūsų įrenginyje. Tiekėjai ją naudoja reklamai matuoti. Spustelėdami mygtuką sutinkate.',
      'Gerai',
    ],
    [
      'Naujienos',
      'Norint tęsti, reikia sutikimo tvarkyti asmens duomenis. Mūsų reklamos partneriai ir mes naudojame slapukus reklamai pritaikyti ir srautui analizuoti.',
      'Priimti visus',
    ],
  ],
  lv: [
    [
      'Ostas Vēstnesis',
      'Mēs un 69 partneri glabājam sīkdatnes jūsu ierīcē un lasām tās, lai rādītu personalizētu reklāmu un mērītu auditoriju. Lūdzam jūsu piekrišanu.',
      'Piekrītu',
    ],
    [
      'Izvēle ir jūsu',
      'Mūsu izdevums ir bez maksas, pateicoties reklāmai. Ar jūsu piekrišanu trešās puses un mēs lasām identifikatorus no jūsu pārlūka, lai veidotu reklāmas profilu.',
      'Piekrist un lasīt tālāk',
    ],
    [
      'Sīkdatņu iestatījumi',
      'Mēs vēlamies izmantot sīkdatnes statistikai un mārketingam. Jūs varat tās noraidīt vai vēlāk atsaukt piekrišanu.',
      'Atļaut visas',
    ],
    [
      'Pirms turpināt',
      'Mūsu vietne glabā informāciju jūsu ierīcē. Piegādātāji to izmanto reklāmas mērīšanai. Noklikšķinot uz pogas, jūs piekrītat.',
      'Labi',
    ],
    [
      'Ziņas',
      'Lai turpinātu, mums vajadzīga piekrišana personas datu apstrādei. Mūsu reklāmas partneri un mēs izmantojam sīkdatnes reklāmas personalizēšanai un datplūsmas analīzei.',
      'Pieņemt visas',
    ],
  ],
};

/** A kind of page about cookies, privacy or consent that is no wall: titles and sentences of it. */
type Kind = readonly [titles: readonly string[], sentences: readonly string[]];

/** By language: a button of its consent banner, which is on the page too, and kinds of pages. */
const KINDS: Readonly<Record<string, readonly [button: string, kinds: readonly Kind[]]>> = {
  en: [
    'Accept all',
    [
      [
        ['Cookie policy', 'How we use cookies', 'Privacy statement'],
        [
          'We use cookies to keep your basket and to count visits.',
          'We share none of your data with third parties for advertising.',
          'You can withdraw your consent in the settings of your browser.',
          'Our partners measure how many readers open our letters.',
          'Cookies stay on your device for thirty days.',
        ],
      ],
      [
        ['Clear cookies in the browser', 'Turn cookies on or off'],
        [
          'Open the menu and choose Settings, then Privacy and security.',
          'Click Cookies and site data to see what each site keeps on your device.',
          'Sites may sign you out when their cookies are gone.',
          'To allow one site, enter its address and click Allow.',
          'Restart the browser so that the change takes effect.',
        ],
      ],
      [
        ['Court fines publisher over consent', 'Fewer readers accept tracking'],
        [
          'The court said on Tuesday that the publisher had asked readers for consent in a way that left them no choice.',
          'It had shared data of visitors with 800 advertising partners for years.',
          'The minister welcomed the ruling and promised a bill before the summer.',
          'Shares of the company fell by four per cent in the afternoon.',
          'A spokesman said that the firm would appeal.',
        ],
      ],
      [
        ['Section 25: Protection of privacy', 'Duties of providers'],
        [
          'The storage of information in the terminal equipment of a user is allowed only with consent.',
          'Consent shall be given on the basis of clear and full information.',
          'The first paragraph does not apply where storage is needed to carry a message.',
          'Fines are up to three hundred thousand euros.',
          'The authority publishes a list of services each year.',
        ],
      ],
      [
        ['Ginger cookies', 'Shortbread for a crowd'],
        [
          'Cream the butter with the sugar until it is pale.',
          'Our cookies need nine minutes in a hot oven.',
          'Fold in the flour and the ginger with a spoon.',
          'Let them cool on the tray before you share them with your partners in crime.',
          'They keep for two weeks in a tin.',
        ],
      ],
    ],
  ],
  de: [
    'Alle akzeptieren',
    [
      [
        ['Cookie-Richtlinie', 'Datenschutzerklärung', 'Wie wir Cookies verwenden'],
        [
          'Wir verwenden Cookies, damit Ihr Warenkorb erhalten bleibt.',
          'Wir geben keine Daten an Dritte zu Werbezwecken weiter.',
          'Ihre Einwilligung können Sie jederzeit widerrufen.',
          'Unsere Partner messen, wie viele Leser die Briefe öffnen.',
          'Cookies bleiben dreißig Tage auf Ihrem Gerät.',
        ],
      ],
      [
        ['Cookies im Browser löschen', 'Cookies ein- und ausschalten'],
        [
          'Öffnen Sie das Menü und wählen Sie Einstellungen.',
          'Klicken Sie auf Cookies, um zu sehen, was jede Seite auf dem Gerät ablegt.',
          'Ohne Cookies werden Sie auf vielen Seiten abgemeldet.',
          'Geben Sie die Adresse ein, um eine Seite zu erlauben.',
          'Starten Sie den Browser danach neu.',
        ],
      ],
      [
        ['Gericht rügt Verlag wegen Einwilligung', 'Weniger Leser stimmen zu'],
        [
          'Das Gericht entschied am Dienstag, dass der Verlag seine Leser nicht frei entscheiden ließ.',
          'Er hatte Daten jahrelang an 800 Werbepartner weitergegeben.',
          'Die Ministerin begrüßte das Urteil und kündigte ein Gesetz an.',
          'Die Aktie verlor am Nachmittag vier Prozent.',
          'Ein Sprecher sagte, man werde Berufung einlegen.',
        ],
      ],
      [
        ['§ 25 Schutz der Privatsphäre', 'Pflichten der Anbieter'],
        [
          'Die Speicherung von Informationen in der Endeinrichtung ist nur mit Einwilligung zulässig.',
          'Die Einwilligung hat auf der Grundlage klarer Informationen zu erfolgen.',
          'Absatz 1 gilt nicht, wenn die Speicherung für eine Nachricht nötig ist.',
          'Die Geldbuße beträgt bis zu dreihunderttausend Euro.',
          'Die Behörde veröffentlicht jährlich eine Liste.',
        ],
      ],
      [
        ['Ingwerkekse', 'Mürbeteig für viele'],
        [
          'Die Butter mit dem Zucker schaumig rühren.',
          'Unsere Cookies brauchen neun Minuten im heißen Ofen.',
          'Mehl und Ingwer mit dem Löffel unterheben.',
          'Auf dem Blech auskühlen lassen und mit Freunden teilen.',
          'In der Dose halten sie zwei Wochen.',
        ],
      ],
    ],
  ],
  fr: [
    'Tout accepter',
    [
      [
        [
          'Politique relative aux cookies',
          'Charte de confidentialité',
          'Comment nous utilisons les cookies',
        ],
        [
          'Nous utilisons des cookies pour garder votre panier.',
          'Nous ne donnons aucune donnée à des tiers pour la publicité.',
          'Vous pouvez retirer votre consentement à tout moment.',
          'Nos partenaires mesurent combien de lecteurs ouvrent nos lettres.',
          'Les cookies restent trente jours sur votre appareil.',
        ],
      ],
      [
        ['Effacer les cookies du navigateur', 'Activer ou désactiver les cookies'],
        [
          'Ouvrez le menu et choisissez Paramètres.',
          'Cliquez sur Cookies pour voir ce que chaque site garde sur votre appareil.',
          'Sans cookies, beaucoup de sites vous déconnectent.',
          'Saisissez une adresse pour autoriser un site.',
          'Redémarrez ensuite le navigateur.',
        ],
      ],
      [
        ['Un éditeur condamné pour ses bandeaux', 'Moins de lecteurs acceptent le suivi'],
        [
          'Le tribunal a jugé mardi que les lecteurs n’avaient pas de vrai choix.',
          'L’éditeur avait partagé des données avec 800 partenaires publicitaires.',
          'La ministre a salué la décision et promis une loi avant l’été.',
          'L’action a perdu quatre pour cent dans l’après-midi.',
          'Un porte-parole a annoncé un appel.',
        ],
      ],
      [
        ['Article 82', 'Obligations des fournisseurs'],
        [
          'Tout abonné doit être informé de manière claire de la finalité de toute action.',
          'Le stockage d’informations dans l’équipement terminal exige le consentement.',
          'Ces dispositions ne s’appliquent pas à la transmission d’un message.',
          'L’amende va jusqu’à trois cent mille euros.',
          'L’autorité publie une liste chaque année.',
        ],
      ],
      [
        ['Cookies au gingembre', 'Sablés pour tous'],
        [
          'Battez le beurre avec le sucre.',
          'Nos cookies cuisent neuf minutes dans un four chaud.',
          'Ajoutez la farine et le gingembre à la cuillère.',
          'Laissez refroidir sur la plaque avant de partager.',
          'Ils se gardent deux semaines dans une boîte.',
        ],
      ],
    ],
  ],
  es: [
    'Aceptar todo',
    [
      [
        ['Política de cookies', 'Política de privacidad', 'Cómo usamos las cookies'],
        [
          'Usamos cookies para conservar tu cesta.',
          'No damos datos a terceros con fines de publicidad.',
          'Puedes retirar tu consentimiento cuando quieras.',
          'Nuestros socios miden cuántos lectores abren las cartas.',
          'Las cookies quedan treinta días en tu dispositivo.',
        ],
      ],
      [
        ['Borrar las cookies del navegador', 'Activar o desactivar las cookies'],
        [
          'Abre el menú y elige Configuración.',
          'Haz clic en Cookies para ver qué guarda cada sitio en el dispositivo.',
          'Sin cookies, muchos sitios cierran la sesión.',
          'Escribe una dirección para permitir un sitio.',
          'Después reinicia el navegador.',
        ],
      ],
      [
        ['Un tribunal multa a una editorial', 'Menos lectores aceptan el rastreo'],
        [
          'El tribunal dijo el martes que los lectores no tenían elección al dar su consentimiento.',
          'La editorial compartió datos con 800 socios publicitarios durante años.',
          'La ministra celebró el fallo y prometió una ley antes del verano.',
          'Las acciones cayeron un cuatro por ciento por la tarde.',
          'Un portavoz anunció un recurso.',
        ],
      ],
      [
        ['Artículo 22', 'Obligaciones de los prestadores'],
        [
          'El almacenamiento de datos en el equipo terminal exige el consentimiento del destinatario.',
          'La información será clara y completa.',
          'Lo anterior no impide el envío de un mensaje.',
          'La multa llega a trescientos mil euros.',
          'La autoridad publica una lista cada año.',
        ],
      ],
      [
        ['Cookies de jengibre', 'Galletas para muchos'],
        [
          'Bate la mantequilla con el azúcar.',
          'Nuestras cookies necesitan nueve minutos en el horno.',
          'Añade la harina y el jengibre con una cuchara.',
          'Deja que se enfríen antes de compartirlas.',
          'Duran dos semanas en una lata.',
        ],
      ],
    ],
  ],
  pl: [
    'Akceptuję wszystkie',
    [
      [
        ['Polityka plików cookie', 'Polityka prywatności', 'Jak używamy plików cookie'],
        [
          'Używamy plików cookie, aby zachować Twój koszyk.',
          'Nie przekazujemy danych podmiotom trzecim w celach reklamowych.',
          'Zgodę możesz wycofać w każdej chwili.',
          'Nasi partnerzy mierzą, ilu czytelników otwiera listy.',
          'Pliki cookie pozostają na urządzeniu trzydzieści dni.',
        ],
      ],
      [
        ['Usuwanie plików cookie w przeglądarce', 'Włączanie i wyłączanie plików cookie'],
        [
          'Otwórz menu i wybierz Ustawienia.',
          'Kliknij Pliki cookie, aby zobaczyć, co każda strona trzyma na urządzeniu.',
          'Bez plików cookie wiele stron Cię wyloguje.',
          'Wpisz adres, aby zezwolić jednej stronie.',
          'Potem uruchom przeglądarkę ponownie.',
        ],
      ],
      [
        ['Sąd ukarał wydawcę', 'Mniej czytelników zgadza się na śledzenie'],
        [
          'Sąd orzekł we wtorek, że czytelnicy nie mieli wyboru, gdy proszono ich o zgodę.',
          'Wydawca przez lata przekazywał dane 800 partnerom reklamowym.',
          'Minister pochwaliła wyrok i zapowiedziała ustawę przed latem.',
          'Akcje straciły po południu cztery procent.',
          'Rzecznik zapowiedział odwołanie.',
        ],
      ],
      [
        ['Art. 173', 'Obowiązki dostawców'],
        [
          'Przechowywanie informacji w urządzeniu końcowym wymaga zgody abonenta.',
          'Informacja ma być jasna i pełna.',
          'Przepisu nie stosuje się do przesyłania wiadomości.',
          'Kara wynosi do trzystu tysięcy euro.',
          'Urząd ogłasza wykaz co roku.',
        ],
      ],
      [
        ['Ciasteczka imbirowe', 'Kruche ciastka dla wielu'],
        [
          'Utrzyj masło z cukrem.',
          'Nasze ciasteczka potrzebują dziewięciu minut w piekarniku.',
          'Dodaj mąkę i imbir.',
          'Ostudź je, zanim podzielisz się z innymi.',
          'W puszce wytrzymają dwa tygodnie.',
        ],
      ],
    ],
  ],
  sv: [
    'Godkänn alla',
    [
      [
        ['Cookiepolicy', 'Integritetspolicy', 'Hur vi använder kakor'],
        [
          'Vi använder kakor för att spara din varukorg.',
          'Vi lämnar inga uppgifter till tredje part för annonser.',
          'Du kan återkalla ditt samtycke när du vill.',
          'Våra partner mäter hur många läsare som öppnar breven.',
          'Kakor ligger kvar på din enhet i trettio dagar.',
        ],
      ],
      [
        ['Rensa kakor i webbläsaren', 'Slå på och av kakor'],
        [
          'Öppna menyn och välj Inställningar.',
          'Klicka på Kakor för att se vad varje sida sparar på enheten.',
          'Utan kakor loggas du ut från många sidor.',
          'Skriv en adress för att tillåta en sida.',
          'Starta sedan om webbläsaren.',
        ],
      ],
      [
        ['Domstol fäller förlag', 'Färre läsare godkänner spårning'],
        [
          'Domstolen sade på tisdagen att läsarna inte hade något val när de gav sitt samtycke.',
          'Förlaget hade delat uppgifter med 800 annonspartner i flera år.',
          'Ministern välkomnade domen och lovade en lag före sommaren.',
          'Aktien föll fyra procent på eftermiddagen.',
          'En talesperson sade att bolaget överklagar.',
        ],
      ],
      [
        ['28 § Lagring av uppgifter', 'Leverantörers skyldigheter'],
        [
          'Uppgifter får lagras i en användares utrustning bara med samtycke.',
          'Informationen ska vara klar och fullständig.',
          'Detta gäller inte när ett meddelande ska överföras.',
          'Avgiften är högst trehundratusen euro.',
          'Myndigheten ger ut en lista varje år.',
        ],
      ],
      [
        ['Ingefärskakor', 'Mördegskakor för många'],
        [
          'Rör smöret och sockret vitt.',
          'Våra kakor behöver nio minuter i ugnen.',
          'Vänd ner mjöl och ingefära.',
          'Låt dem svalna på plåten innan du delar med dig.',
          'De håller två veckor i en burk.',
        ],
      ],
    ],
  ],
};

const VARIANTS = 10;

/** Some of a list, in an order of their own for each number. */
const chosen = (list: readonly string[], at: number, count: number): string[] =>
  Array.from(
    { length: count },
    (_, step) => list[(at + step * (1 + (at % 2))) % list.length] ?? '',
  );

/** Three hundred pages: six languages, five kinds, ten pages each of three to five sentences. */
export const CONSENT_PAGES = Object.entries(KINDS).flatMap(([language, [button, kinds]]) =>
  kinds.flatMap(([titles, sentences], kind) =>
    Array.from({ length: VARIANTS }, (_, at) => ({
      name: `${language}, kind ${kind}, page ${at}`,
      title: titles[at % titles.length] ?? '',
      text: chosen(sentences, at, 3 + (at % 3)).join(at % 2 === 0 ? ' ' : '\n\n'),
      button,
    })),
  ),
);

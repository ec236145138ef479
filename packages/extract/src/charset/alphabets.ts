/**
 * Letters beyond ASCII of a language, the most frequent first, and the character sets of its
 * pages.
 */
export interface Alphabet {
  readonly charsets: readonly string[];
  readonly letters: string;
}

const alphabets = (charsets: string, ...languages: readonly string[]): readonly Alphabet[] =>
  languages.map((letters) => ({ charsets: charsets.split(' '), letters }));

const CYRILLIC = 'windows-1251 iso-8859-5 ibm866';

/**
 * Each right letter counts, so two languages with the same letters in another order are
 * distinguished.
 */
export const ALPHABETS: readonly Alphabet[] = [
  ...alphabets(
    'windows-1252',
    'éèàêçâîôùûëïœæüÿ',
    'üäößé',
    'óíáéñúü',
    'ãçéáíóêõâúôàü',
    'èàùòìéí',
    'äåöé',
    'äöåšž',
    'åøæéôò',
    'áíðúóéöþýæ',
    'ëéïöóèüêç',
    'àéèíòóçúïü',
    'ëç',
  ),
  ...alphabets(
    'windows-1250 iso-8859-2',
    'łąęóżśćńź',
    'íáéěýčřžšůúťňďó',
    'áíéčýžľšúťňďôóäĺŕ',
    'áéöőóüíúű',
    'ăşâţî',
    'čšžćđ',
  ),
  ...alphabets('windows-1254', 'ışğüçöİâîû'),
  ...alphabets('windows-1257', 'ėšųžįąūčę', 'āīēšūņļžķģč', 'äõüöšž'),
  ...alphabets(
    `${CYRILLIC} koi8-r`,
    'оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъё',
    'аеоинтрсвдлкпмзъугбщчжяцйхшюфь',
  ),
  ...alphabets(`${CYRILLIC} koi8-u`, 'оанівиретскдлмупязьбгйчхцжїщюшєфґ'),
  ...alphabets(CYRILLIC, 'аоиенртсвдкјумлпзбгчшцћжхђњљфџ', 'анiіеоярсткдлымўвупзгбьчйюцшжхэёф'),
  ...alphabets('windows-1253 iso-8859-7', 'αοιετνσηρπκμςλυόάίδγέήφχθύώβξζψϊϋΐΰ'),
  ...alphabets('windows-1255', 'יוהלאתרבשמנםדחעקפכטסגצזץןךף'),
  ...alphabets(
    'windows-1256 iso-8859-6',
    'اليمونرتبةعدسفهكقحجشطصخأإىضذزغءئظثآؤ',
    'ايرندمهوتبسكشزفگعخقجآپحصطضچذژغظثئ',
  ),
  ...alphabets('windows-874', 'านรอกเ่ง้ัมยลีวดทิสตะปบค์ืหแุจพำชขใไูึ็โผซถธศญฟณษฉภฐฎฮฆ๊๋ฬฏฑฒฤๆฯ'),
];

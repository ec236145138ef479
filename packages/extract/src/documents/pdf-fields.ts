/** A field of a form that has a value. */
export interface PdfField {
  readonly name: string;
  readonly text: string;
  /** A box or a button, whose label follows it. */
  readonly isBox: boolean;
  readonly x: number;
  readonly y: number;
  readonly right: number;
  readonly height: number;
}

type Annotation = Readonly<Record<string, unknown>>;

/** More are not a form. */
const FIELDS_MAX = 2_000;
const CHECKED = '☒';

/** The values of the fields of a page, without those of passwords and of hidden fields. */
export function fieldsOf(
  annotations: readonly Annotation[],
  place: (x: number, y: number) => { readonly x: number; readonly y: number },
): readonly PdfField[] {
  return annotations.slice(0, FIELDS_MAX).flatMap((annotation) => {
    const { subtype, hidden, password, rect, fieldName, alternativeText } = annotation;
    if (subtype !== 'Widget' || hidden === true || password === true) return [];
    const text = fieldText(annotation);
    if (text === '' || !Array.isArray(rect)) return [];
    const [x1, y1, x2, y2] = rect.map(Number);
    const from = place(x1 ?? 0, y1 ?? 0);
    const to = place(x2 ?? 0, y2 ?? 0);
    const name = [alternativeText, fieldName].find(
      (each) => typeof each === 'string' && each !== '',
    );
    return {
      name: String(name ?? ''),
      text,
      isBox: text === CHECKED,
      x: Math.min(from.x, to.x),
      y: Math.min(from.y, to.y),
      right: Math.max(from.x, to.x),
      height: Math.abs(to.y - from.y),
    };
  });
}

function fieldText({
  fieldType,
  fieldValue,
  checkBox,
  radioButton,
  exportValue,
  buttonValue,
}: Annotation) {
  if (fieldType === 'Btn') {
    const own = checkBox === true ? exportValue : radioButton === true ? buttonValue : undefined;
    return own !== undefined && own !== null && fieldValue === own ? CHECKED : '';
  }
  if (fieldType !== 'Tx' && fieldType !== 'Ch') return '';
  const values = Array.isArray(fieldValue) ? fieldValue : [fieldValue];
  return values
    .filter((value) => typeof value === 'string')
    .join(', ')
    .trim();
}

import type { ReportSection, ReportTable } from '../../application/certificates/certificate.ts';
import { columnsOf, isRoom, isShown, labelOf, objectsIn, wordsOf } from './answer-words.ts';
import { momentOnPaper } from './words.ts';

type Fields = readonly (readonly [label: string, value: string])[];

const textOf = (name: string, value: unknown): string => {
  if (!isShown(value)) return '';
  if (Array.isArray(value)) return value.map((each) => textOf(name, each)).join('; ');
  if (isRoom(value))
    return fieldsOf(value)
      .map(([label, text]) => `${label}: ${text}`)
      .join(', ');
  return wordsOf(name, value as string | number | boolean, momentOnPaper);
};

/** The fields of an object, those of its objects as well; lists of objects are tables. */
const fieldsOf = (answer: object): Fields =>
  Object.entries(answer).flatMap(([name, value]): Fields => {
    if (!isShown(value)) return [];
    if (Array.isArray(value))
      return objectsIn(value).length > 0 ? [] : [[labelOf(name), textOf(name, value)]];
    return isRoom(value)
      ? fieldsOf(value).map(([label, text]) => [`${labelOf(name)}: ${label}`, text] as const)
      : [[labelOf(name), textOf(name, value)]];
  });

const tableOf = (items: readonly unknown[]): ReportTable => {
  const objects = objectsIn(items);
  const columns = columnsOf(objects);
  return {
    heads: columns.map(labelOf),
    rows: objects.map((item) => columns.map((field) => textOf(field, item[field]))),
  };
};

const tablesIn = (room: object): readonly ReportTable[] => {
  const lists = Array.isArray(room) ? [room] : Object.values(room);
  return lists
    .filter((each): each is unknown[] => Array.isArray(each) && objectsIn(each).length > 0)
    .map(tableOf);
};

/** An answer of the API on paper: what `renderAnswer` shows, in sections. */
export const reportOf = (answer: object, heading: string): readonly ReportSection[] => {
  const rooms = Object.entries(answer).filter(([, value]) => isRoom(value));
  const values = Object.fromEntries(Object.entries(answer).filter(([, value]) => !isRoom(value)));
  return [
    { heading, fields: fieldsOf(values) },
    ...rooms.map(([name, room]) => ({
      heading: labelOf(name),
      fields:
        Array.isArray(room) && objectsIn(room).length > 0
          ? []
          : fieldsOf({ ...(Array.isArray(room) ? { [name]: room } : room) }),
      tables: tablesIn(room),
    })),
  ];
};

/** `tipoIngresso`, as the specification lists it. */
export const TICKET_TYPES = [
  'inteira',
  'meia',
  'vip',
  'camarote',
  'pista',
  'arquibancada',
] as const;

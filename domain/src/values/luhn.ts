/** Whether the last digit checks the others (ISO/IEC 7812-1, annex B): cards, and the IMEI of phones. */
export const passesLuhn = (digits: string): boolean => {
  let sum = 0;
  for (let fromRight = 0; fromRight < digits.length; fromRight++) {
    const digit = Number(digits[digits.length - 1 - fromRight]);
    const counted = fromRight % 2 === 0 ? digit : digit * 2;
    sum += counted > 9 ? counted - 9 : counted;
  }
  return sum % 10 === 0;
};

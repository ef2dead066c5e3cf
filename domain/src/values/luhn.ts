/**
 * Checks the last digit by the Luhn rule (ISO/IEC 7812-1, annex B): card numbers, IMEIs and IBGE
 * municipality codes use it. Rejects all zeros, although they satisfy the rule.
 */
export const passesLuhn = (digits: string): boolean => {
  let sum = 0;
  for (let fromRight = 0; fromRight < digits.length; fromRight++) {
    const digit = Number(digits[digits.length - 1 - fromRight]);
    const counted = fromRight % 2 === 0 ? digit : digit * 2;
    sum += counted > 9 ? counted - 9 : counted;
  }
  return sum % 10 === 0 && /[1-9]/.test(digits);
};

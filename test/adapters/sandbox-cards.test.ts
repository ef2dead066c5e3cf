import { SANDBOX_CARDS } from '../../adapters/payment/sandbox/sandbox-cards.ts';
import { expectRecordedRows } from '../support/recorded-table.ts';

describe('the test cards of the sandbox', () => {
  const english = SANDBOX_CARDS.map(({ number, english: effect }) => [`\`${number}\``, effect]);

  it("are listed in the gateway's README", () => {
    expectRecordedRows('adapters/payment/README.md', '### Test cards', english);
  });
});

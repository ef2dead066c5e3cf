/** What the documents, mails and public pages of a test environment say. */
export const TEST_MARK = 'TESTE – SEM VALOR';

/** The same in a sentence. */
export const TEST_NOTICE =
  'Isto é de um ambiente de testes: não há seguro, e nada foi cobrado de verdade.';

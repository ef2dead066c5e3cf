import type { Standing } from '#domain';
import { describePeriod } from '../../../application/certificates/certificate.ts';
import type {
  VerifiedCertificate,
  VerifyCertificate,
} from '../../../application/certificates/verify-certificate.ts';
import { TEST_MARK, TEST_NOTICE } from '../../../application/test-mark.ts';
import { type Html, html } from '../../kit/web/pages/html.ts';
import { publicPath } from '../../kit/web/pages/send-page.ts';
import { showErrorPage, showErrorsToPersons, showPage } from '../../kit/web/pages/show-page.ts';
import { type Context, pathParameter } from '../../kit/web/pipeline/context.ts';
import type { AddOpenRoutes } from '../open-routes.ts';

export interface VerifyParts {
  /** The public URL, without `/api`. */
  readonly publicUrl: string;
  readonly verifyCertificate: VerifyCertificate;
  /** The pages of a test environment say so. */
  readonly environment: 'test' | 'production';
}

interface Words {
  readonly title: string;
  readonly standing: string;
  readonly advice: string;
}

const GENUINE =
  'Este código é de um documento emitido por este serviço. Confira se os dados abaixo são os do documento que você tem.';

const STANDINGS: Readonly<Record<Standing, Words>> = {
  to_begin: {
    title: 'Documento autêntico',
    standing: 'contratado; a vigência ainda não começou',
    advice: GENUINE,
  },
  in_force: { title: 'Documento autêntico', standing: 'vigente', advice: GENUINE },
  ended: {
    title: 'Vigência encerrada',
    standing: 'vigência encerrada',
    advice: `O seguro deste documento já terminou. ${GENUINE}`,
  },
  cancelled: {
    title: 'Seguro cancelado',
    standing: 'cancelado',
    advice:
      'O documento foi emitido por este serviço, mas o seguro foi cancelado: ele não vale mais.',
  },
};

const NUMBERS: Readonly<Record<VerifiedCertificate['document']['kind'], string>> = {
  bilhete: 'Bilhete nº',
  policy: 'Apólice nº',
};

/** Normalizes a typed ULID: groups, lower case, and I, L and O for digits (Crockford's Base32). */
const normalizeCode = (typed: string): string => {
  const read = typed
    .replaceAll(/[\s-]/g, '')
    .toUpperCase()
    .replaceAll(/[IL]/g, '1')
    .replaceAll('O', '0');
  return /^[0-9A-HJKMNP-TV-Z]{26}$/.test(read) ? read : typed;
};

/** Longer than any code with blanks. */
const MAX_CODE_LENGTH = 60;

const TEST_BANNER = html`<p class="sheet bad" role="note"><strong>${TEST_MARK}.</strong> ${TEST_NOTICE}</p>`;

/** What all pages of a service share. */
interface Shared {
  readonly action: string;
  readonly isTest: boolean;
}

const bannerOf = ({ isTest }: Shared): Html | '' => (isTest ? TEST_BANNER : '');

const codeForm = ({ action }: Shared): Html => html`
<form class="sheet" method="get" action="${action}">
<label for="code">Código do documento</label>
<input id="code" name="code" required maxlength="${MAX_CODE_LENGTH}" autocomplete="off" autocapitalize="characters" spellcheck="false">
<button>Conferir</button>
</form>`;

const rowsOf = ({
  document,
  product,
  insurer,
  susepProcess,
  period,
  standing,
  initials,
}: VerifiedCertificate) => [
  ['Situação', STANDINGS[standing].standing],
  ['Produto', product],
  [NUMBERS[document.kind], document.number],
  ['Segurado', initials],
  [standing === 'cancelled' ? 'Vigência contratada' : 'Vigência', describePeriod(period)],
  ['Seguradora', insurer],
  ['Processo SUSEP', susepProcess],
];

const showGenuine = (ctx: Context, found: VerifiedCertificate, shared: Shared): void => {
  const { document, product, insurer, susepProcess, period, standing, initials } = found;
  const { title, advice } = STANDINGS[standing];
  const isGood = standing === 'in_force' || standing === 'to_begin';
  showPage(ctx, {
    status: 200,
    title,
    content: html`${bannerOf(shared)}
<div class="sheet ${isGood ? 'good' : 'bad'}">
<h1>${title}</h1>
<p>${advice}</p>
<dl class="facts">${rowsOf(found).map(([label, value]) => html`<dt>${label}</dt><dd>${value}</dd>`)}</dl>
</div>
${codeForm(shared)}`,
    data: {
      success: true,
      genuine: true,
      ...(shared.isTest && { test: true }),
      status: standing,
      product,
      number: document.number,
      insured: initials,
      vigencia: { inicio: period.start, fim: period.end },
      insurer,
      susep_process: susepProcess,
    },
  });
};

const showUnknown = (ctx: Context, shared: Shared): void =>
  showErrorPage(ctx, {
    status: 404,
    code: 'not_found',
    title: 'Documento não encontrado',
    content: html`
<div class="sheet bad">
<h1>Documento não encontrado</h1>
<p>Nenhum documento emitido por este serviço tem esse código. Confira se ele foi digitado por inteiro, e se não é o número do bilhete ou da apólice. Se for mesmo o código do documento, este não foi emitido por este serviço.</p>
</div>
${codeForm(shared)}`,
    response: 'Nenhum documento tem esse código.',
    more: { genuine: false },
  });

/** The public pages that check a document. They show only the initials of the insured. */
export const createVerifyPages =
  ({ verifyCertificate, environment, publicUrl }: VerifyParts): AddOpenRoutes =>
  (router, limitNetwork) => {
    const action = `${publicPath(publicUrl)}/verify`;
    const shared = { action, isTest: environment === 'test' };
    router.get('/verify', showErrorsToPersons, limitNetwork, function showCodeForm(ctx) {
      const { code } = ctx.query;
      if (typeof code === 'string' && code.trim() !== '' && code.length <= MAX_CODE_LENGTH) {
        ctx.status = 303;
        return ctx.redirect(`${action}/${encodeURIComponent(normalizeCode(code.trim()))}`);
      }
      const title = 'Conferir um documento de seguro';
      return showPage(ctx as Context, {
        status: 200,
        title,
        content: html`${bannerOf(shared)}<div class="sheet"><h1>${title}</h1><p>O código está no alto do bilhete ou da apólice, e no código QR.</p></div>${codeForm(shared)}`,
        data: { success: true, response: 'Informe o código: GET /verify/{code}' },
      });
    });
    router.get(
      '/verify/:code',
      showErrorsToPersons,
      limitNetwork,
      async function verifyDocument(ctx) {
        const code = normalizeCode(pathParameter(ctx as Context, 'code'));
        const found =
          code.length <= MAX_CODE_LENGTH && /^[\w-]+$/.test(code)
            ? await verifyCertificate(code)
            : undefined;
        if (found === undefined) showUnknown(ctx as Context, shared);
        else showGenuine(ctx as Context, found, shared);
      },
    );
  };

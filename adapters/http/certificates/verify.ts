import type Router from '@koa/router';
import { html } from 'hono/html';
import { formatDate, type Standing } from '#domain';
import type { VerifiedCertificate, VerifyCertificate } from '../../../application/certificates/verify-certificate.ts';
import { houseError } from '../answers.ts';
import { type Context, parameter, type State, type Step } from '../context.ts';
import { type Html, show } from './page.ts';

export interface VerifyParts {
  readonly verifyCertificate: VerifyCertificate;
}

const STANDINGS: Readonly<Record<Standing, string>> = {
  to_begin: 'contratado; a vigência ainda não começou',
  in_force: 'vigente',
  ended: 'vigência encerrada',
  cancelled: 'cancelado',
};

const NUMBERS: Readonly<Record<VerifiedCertificate['paper']['kind'], string>> = { bilhete: 'Bilhete nº', policy: 'Apólice nº' };

/** As people type it: in groups, in small letters, with an O for a zero (Crockford's Base32, of which a ULID is made). */
const readCode = (typed: string): string => {
  const read = typed.replaceAll(/[\s-]/g, '').toUpperCase().replaceAll(/[IL]/g, '1').replaceAll('O', '0');
  return /^[0-9A-HJKMNP-TV-Z]{26}$/.test(read) ? read : typed;
};

/** Longer than any code, its blanks included. */
const LONGEST = 60;

const form = (action: string): Html => html`
<form class="sheet" method="get" action="${action}">
<label for="code">Código do documento</label>
<input id="code" name="code" required maxlength="${LONGEST}" autocomplete="off" autocapitalize="characters" spellcheck="false">
<button>Conferir</button>
</form>`;

const rowsOf = ({ paper, product, insurer, susepProcess, period, standing, initials }: VerifiedCertificate) => [
  ['Situação', STANDINGS[standing]],
  ['Produto', product],
  [NUMBERS[paper.kind], paper.number],
  ['Segurado', initials],
  ['Vigência', `${formatDate(period.start)} a ${formatDate(period.end)}`],
  ['Seguradora', insurer],
  ['Processo SUSEP', susepProcess],
];

const genuine = (ctx: Context, found: VerifiedCertificate): void => {
  const { paper, product, insurer, susepProcess, period, standing, initials } = found;
  const isGood = standing === 'in_force' || standing === 'to_begin';
  show(ctx, {
    status: 200,
    title: 'Documento autêntico',
    content: html`
<div class="sheet ${isGood ? 'good' : 'bad'}">
<h1>Documento autêntico</h1>
<p>Este código é de um documento emitido por este serviço. Confira se os dados abaixo são os do documento que você tem.</p>
<dl>${rowsOf(found).map(([label, value]) => html`<dt>${label}</dt><dd>${value}</dd>`)}</dl>
</div>
${form('../verify')}`,
    data: {
      ...{ success: true, genuine: true, status: standing, product, number: paper.number, insured: initials },
      ...{ vigencia: { inicio: period.start, fim: period.end }, insurer, susep_process: susepProcess },
    },
  });
};

const unknown = (ctx: Context): void =>
  show(ctx, {
    status: 404,
    title: 'Documento não encontrado',
    content: html`
<div class="sheet bad">
<h1>Documento não encontrado</h1>
<p>Nenhum documento emitido por este serviço tem esse código. Confira se foi digitado por inteiro; se foi, o documento não é autêntico.</p>
</div>
${form('../verify')}`,
    data: { ...houseError(404, 'Nenhum documento tem esse código.'), genuine: false },
  });

/** A public page on which anybody can check a certificate: it knows of the insured the initials alone. */
export const verifyPages = (router: Router<State>, { verifyCertificate }: VerifyParts, limited: Step): void => {
  router.get('/verify', limited, (ctx) => {
    const { code } = ctx.query;
    if (typeof code === 'string' && code.trim() !== '' && code.length <= LONGEST) {
      ctx.status = 303;
      return ctx.redirect(`verify/${encodeURIComponent(readCode(code.trim()))}`);
    }
    return show(ctx as Context, {
      status: 200,
      title: 'Conferir um documento de seguro',
      content: html`<div class="sheet"><h1>Conferir um documento de seguro</h1><p>O código está no alto do bilhete ou da apólice, e no código QR.</p></div>${form('verify')}`,
      data: { success: true, response: 'Informe o código: GET /verify/{code}' },
    });
  });
  router.get('/verify/:code', limited, async (ctx) => {
    const code = readCode(parameter(ctx as Context, 'code'));
    const found = code.length <= LONGEST && /^[\w-]+$/.test(code) ? await verifyCertificate(code) : undefined;
    if (found === undefined) unknown(ctx as Context);
    else genuine(ctx as Context, found);
  });
};

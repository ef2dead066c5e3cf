import { type Coverage, cents, type IncludedCoverage, type Plan, rate } from '#domain';

// What the certificates of the demo products say. The texts are plausible and fictitious.

type Conditions = Required<
  Pick<
    Plan,
    'deductible' | 'waitingDays' | 'exclusions' | 'claimDocuments' | 'claimContact' | 'includes'
  >
>;

type CoverageConditions = Pick<Coverage, 'description' | 'notCovered' | 'premiumShare'>;

const claimContact =
  'sinistro@seguradora.example ou 0800 000 0002, todos os dias, 24 horas (demonstração)';

const IDENTITY = 'documento de identidade e CPF do segurado';
const BANK_ACCOUNT = 'dados da conta bancária do segurado';
const INTENT = 'ato intencional do segurado ou do beneficiário';
const WAR = 'guerra, tumulto, greve ou ato de autoridade pública';

export const TICKET_CONDITIONS: Conditions = {
  includes: [
    {
      name: 'Reembolso do ingresso de quem não pode ir ao evento',
      premiumShare: rate(1_000_000),
      description:
        'Devolve o preço do ingresso se o segurado não puder ir por doença, acidente, morte de familiar, convocação judicial ou atraso do transporte público.',
      notCovered: [
        'desistência sem um desses motivos',
        'evento cancelado ou adiado pelo organizador, que é quem devolve o preço',
      ],
    },
  ],
  deductible: { kind: 'rate', rate: rate(100_000), minimum: cents(0) },
  waitingDays: 0,
  exclusions: [
    INTENT,
    WAR,
    'ingresso comprado fora dos canais oficiais de venda',
    'doença já diagnosticada na compra que impedia a ida ao evento',
  ],
  claimDocuments: [
    IDENTITY,
    'ingresso e comprovante da compra',
    'prova do motivo: atestado médico, certidão ou declaração',
    BANK_ACCOUNT,
  ],
  claimContact,
};

export const ARTIST_CONDITIONS: Conditions = {
  includes: [
    {
      name: 'Responsabilidade civil da apresentação',
      premiumShare: rate(1_000_000),
      description:
        'Indenizações que o segurado dever por danos materiais e corporais, causados sem intenção a terceiros, da montagem à desmontagem.',
      notCovered: ['danos a sócios, empregados e familiares do segurado', 'multas'],
    },
  ],
  deductible: { kind: 'fixed', amount: cents(50_000) },
  waitingDays: 0,
  exclusions: [
    INTENT,
    WAR,
    'apresentação sem alvará ou acima da lotação autorizada',
    'fogos de artifício e efeitos com fogo',
  ],
  claimDocuments: [
    IDENTITY,
    'contrato da apresentação e alvará do local',
    'boletim de ocorrência ou relatório do local',
    'reclamação escrita do terceiro e orçamentos',
  ],
  claimContact,
};

export const INSTRUMENTS: CoverageConditions = {
  premiumShare: rate(200_000),
  description: 'Dano por acidente e roubo dos instrumentos durante a apresentação.',
  notCovered: ['desgaste', 'furto simples'],
};

export const CANCELLATION: CoverageConditions = {
  premiumShare: rate(300_000),
  description: 'Despesas pagas de apresentação cancelada por doença ou acidente do artista.',
  notCovered: ['baixa venda de ingressos', 'chuva'],
};

export const PHONE_CONDITIONS: Conditions = {
  includes: [
    {
      name: 'Roubo do aparelho',
      premiumShare: rate(600_000),
      description: 'Subtração com violência ou grave ameaça (Código Penal, art. 157).',
      notCovered: ['acessórios, linha e dados guardados no aparelho'],
    },
    {
      name: 'Furto qualificado do aparelho',
      premiumShare: rate(400_000),
      description:
        'Subtração sem violência, com destruição de obstáculo, fraude, escalada, destreza, chave falsa ou por duas ou mais pessoas (Código Penal, art. 155, § 4º).',
      notCovered: ['furto simples', 'perda, esquecimento ou extravio'],
    },
  ],
  deductible: { kind: 'rate', rate: rate(200_000), minimum: cents(15_000) },
  waitingDays: 5,
  exclusions: [
    INTENT,
    'apropriação indébita e estelionato',
    'aparelho sem nota fiscal ou com IMEI bloqueado antes do início',
    'aparelho deixado à vista em veículo ou lugar público',
  ],
  claimDocuments: [
    IDENTITY,
    'boletim de ocorrência com o IMEI',
    'nota fiscal do aparelho',
    'comprovante do bloqueio do IMEI e da linha',
  ],
  claimContact,
};

export const SCREEN: Omit<CoverageConditions, 'premiumShare'> = {
  description: 'Conserto ou troca da tela quebrada por acidente.',
  notCovered: ['riscos e manchas que não impedem o uso', 'conserto em oficina não autorizada'],
};

export const SIMPLE_THEFT: Omit<CoverageConditions, 'premiumShare'> = {
  description: 'Subtração sem violência e sem vestígio (Código Penal, art. 155).',
  notCovered: ['perda, esquecimento ou extravio'],
};

/** Limits in cents. The medical expenses have the limit of the plan. */
export const tripConditions = (luggage: number, cancellation: number): Conditions => ({
  includes: [
    {
      name: 'Despesas médicas, hospitalares e odontológicas',
      premiumShare: rate(600_000),
      description: 'Urgência e emergência durante a viagem, também por crise de doença anterior.',
      notCovered: ['exames de rotina', 'tratamento estético'],
    },
    {
      name: 'Extravio de bagagem',
      limit: cents(luggage),
      premiumShare: rate(150_000),
      description: 'Bagagem despachada que a empresa de transporte declara perdida.',
      notCovered: ['dinheiro, joias e eletrônicos'],
    },
    {
      name: 'Cancelamento da viagem',
      limit: cents(cancellation),
      premiumShare: rate(250_000),
      description: 'Despesas pagas que não voltam, por doença, acidente ou adiamento do casamento.',
      notCovered: ['desistência'],
    },
  ] satisfies readonly [IncludedCoverage, ...IncludedCoverage[]],
  deductible: { kind: 'fixed', amount: cents(0) },
  waitingDays: 0,
  exclusions: [
    INTENT,
    WAR,
    'esportes praticados por profissão',
    'viagem contra ordem médica escrita',
  ],
  claimDocuments: [
    IDENTITY,
    'passagens e comprovantes de hospedagem',
    'relatório médico e recibos, ou o registro de bagagem perdida',
    BANK_ACCOUNT,
  ],
  claimContact,
});

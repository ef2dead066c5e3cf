import { ContainerModule } from 'inversify';
import { CryptoSecrets } from '../../adapters/security/crypto-secrets.ts';
import { JwsEvidenceSeal } from '../../adapters/security/jws-evidence-seal.ts';
import { JwtAccessTokens } from '../../adapters/security/jwt-access-tokens.ts';
import { createKeyedHash, createTerms, deriveSecret } from '../../adapters/security/keyed-hash.ts';
import { PublishedKeySet } from '../../adapters/security/public-keys.ts';
import { SealedQuotes } from '../../adapters/security/sealed-quotes.ts';
import {
  loadOrCreateSecretsKey,
  loadOrCreateSigningKey,
} from '../../adapters/security/service-keys.ts';
import { SignedDocumentLinks } from '../../adapters/security/signed-document-links.ts';
import { AesSecretSeal } from '../../adapters/security/webhook-secret-seal.ts';
import * as own from './infrastructure.ts';
import { builder } from './part.ts';
import * as ports from './ports.ts';
import type { ServiceConfig } from './system.ts';

/** Keys, and what is signed and sealed with them. */
export const securityModule = (config: ServiceConfig): ContainerModule =>
  new ContainerModule(({ bind }) => {
    const build = builder(bind);
    const { publicUrl: issuer, previousKeys, previousSecretsKeys, dataFolder } = config;
    const { signingKey, secretsKey, quoteSecrets } = own;
    const { clock, evidenceKeys } = ports;

    bind(signingKey).toResolvedValue(() => config.signingKey ?? loadOrCreateSigningKey(dataFolder));
    bind(secretsKey).toResolvedValue(() => config.secretsKey ?? loadOrCreateSecretsKey(dataFolder));
    bind(ports.secrets).toConstantValue(new CryptoSecrets());
    build(
      ports.secretSeal,
      { secretsKey },
      (given) => new AesSecretSeal(given.secretsKey, previousSecretsKeys),
    );
    build(own.fingerprint, { secretsKey }, (given) =>
      createKeyedHash(deriveSecret('cards', given.secretsKey)),
    );
    build(own.searchTerms, { secretsKey }, (given) =>
      createTerms(given.secretsKey, previousSecretsKeys),
    );
    build(own.jwtTokens, { signingKey, clock }, (given) => {
      const audience = `${issuer}/api`;
      const settings = { signingKey: given.signingKey, previousKeys, issuer, audience };
      return new JwtAccessTokens(settings, given.clock);
    });
    build(ports.accessTokens, { jwtTokens: own.jwtTokens }, (given) => given.jwtTokens);
    build(
      ports.evidenceSeal,
      { signingKey, keys: evidenceKeys, clock },
      (given) => new JwsEvidenceSeal({ ...given, issuer }),
    );
    build(
      ports.quoteSeal,
      { quoteSecrets, clock },
      (given) => new SealedQuotes(given.quoteSecrets, given.clock),
    );
    build(
      ports.documentLinks,
      { signingKey },
      (given) => new SignedDocumentLinks(deriveSecret('document links', given.signingKey)),
    );
    build(own.keySet, { jwtTokens: own.jwtTokens, evidenceKeys }, (given) => {
      const published = new PublishedKeySet(given.jwtTokens.publicKeys(), given.evidenceKeys);
      return () => published.keySet();
    });
  });

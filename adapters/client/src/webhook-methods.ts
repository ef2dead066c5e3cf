import type { Answer, Body } from './answers.ts';
import type { CallOptions } from './options.ts';
import { segment } from './request.ts';
import type { Transport } from './transport.ts';

const PATH = '/private/integration/webhooks';

/** The methods that manage the addresses to which the service sends events. */
export const webhookMethods = (transport: Transport) => {
  const get = <T>(path: string, options?: CallOptions) =>
    transport.send<T>({ method: 'GET', path, isRepeatable: true }, options);

  /** What would be done twice if it were repeated after an answer was lost. */
  const postOnce = <T>(path: string, json: object | undefined, options?: CallOptions) =>
    transport.send<T>({ method: 'POST', path, json, isRepeatable: false }, options);

  const pathOf = (webhookId: string): string => `${PATH}/${segment(webhookId)}`;

  return {
    /** Registers an address. Store its `secret`, which is shown once. */
    createWebhook(
      webhook: Body<'createWebhook'>,
      options?: CallOptions,
    ): Promise<Answer<'createWebhook'>> {
      return postOnce(PATH, webhook, options);
    },

    listWebhooks(options?: CallOptions): Promise<Answer<'listWebhooks'>> {
      return get(PATH, options);
    },

    async getWebhook(webhookId: string, options?: CallOptions): Promise<Answer<'getWebhook'>> {
      return get(pathOf(webhookId), options);
    },

    /** Changes what is given, and nothing else. */
    async changeWebhook(
      webhookId: string,
      change: Body<'changeWebhook'>,
      options?: CallOptions,
    ): Promise<Answer<'changeWebhook'>> {
      const path = pathOf(webhookId);
      return transport.send({ method: 'PATCH', path, json: change, isRepeatable: true }, options);
    },

    async deleteWebhook(webhookId: string, options?: CallOptions): Promise<void> {
      const path = pathOf(webhookId);
      return transport.send({ method: 'DELETE', path, isRepeatable: false }, options);
    },

    /** Gives it another secret. The service signs with both for 24 hours. */
    async rotateWebhookSecret(
      webhookId: string,
      options?: CallOptions,
    ): Promise<Answer<'rotateWebhookSecret'>> {
      return postOnce(`${pathOf(webhookId)}/rotate-secret`, undefined, options);
    },

    /** Sends it a `webhook.test`; with `wrongSignature`, one that your receiver must refuse. */
    async testWebhook(
      webhookId: string,
      test: Body<'testWebhook'> = {},
      options?: CallOptions,
    ): Promise<Answer<'testWebhook'>> {
      return postOnce(`${pathOf(webhookId)}/test`, test, options);
    },

    /** Tries a delivery now, from the first try on. */
    async retryWebhookDelivery(
      webhookId: string,
      deliveryId: number,
      options?: CallOptions,
    ): Promise<Answer<'retryWebhookDelivery'>> {
      return postOnce(
        `${pathOf(webhookId)}/deliveries/${segment(deliveryId)}/retry`,
        undefined,
        options,
      );
    },

    /** Sends the events of a time again. */
    async replayWebhookEvents(
      webhookId: string,
      time: Body<'replayWebhookEvents'>,
      options?: CallOptions,
    ): Promise<Answer<'replayWebhookEvents'>> {
      return postOnce(`${pathOf(webhookId)}/replay`, time, options);
    },
  };
};

import { bookMethods } from './books.ts';
import { listMethods } from './lists.ts';
import { type CallOptions, type ClientOptions, readOptions } from './options.ts';
import { saleMethods } from './sales.ts';
import { sellingMethods } from './selling.ts';
import { Transport } from './transport.ts';
import { webhookMethods } from './webhook-methods.ts';

/**
 * Makes a client of the API. It logs in at its first request. Make one for your program and share it:
 * its calls then share a login.
 *
 * A method has the name of its operation in the API's document; its body and its answer are those of
 * the document.
 *
 * @throws TypeError if an option cannot be used
 */
export const createInsuranceClient = (options: ClientOptions) => {
  const transport = new Transport(readOptions(options));

  return {
    ...sellingMethods(transport),
    ...saleMethods(transport),
    ...listMethods(transport),
    ...bookMethods(transport),
    ...webhookMethods(transport),

    /** Ends the present login. The next request logs in again. If it fails, call it again. */
    revokeToken: (options?: CallOptions): Promise<void> => transport.logOut(options),
  };
};

export type InsuranceClient = ReturnType<typeof createInsuranceClient>;

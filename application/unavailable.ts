/** A store or provider is out of reach. The work asked for was done whole or not at all; asking again later may succeed. */
export class Unavailable extends Error {
  override readonly name = 'Unavailable';
}

declare module 'wawoff2/decompress.js' {
  /** The TrueType font in a WOFF2 file. */
  export default function decompress(woff2: Uint8Array): Promise<Uint8Array>;
}

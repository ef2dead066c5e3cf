import { correction, generate } from 'lean-qr';
import { toSvgSource } from 'lean-qr/extras/svg';
import { type Html, raw } from './html.ts';

/** Draws a QR code. */
export const drawQrCode = (text: string): Html =>
  raw(toSvgSource(generate(text, { minCorrectionLevel: correction.M }), { pad: 2 }));

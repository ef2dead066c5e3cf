/**
 * The path of the public URL, without a slash at its end: empty for most services. A proxy may
 * serve the service below a path; links must carry it.
 */
export const publicPath = (publicUrl: string): string =>
  new URL(publicUrl).pathname.replace(/\/+$/, '');

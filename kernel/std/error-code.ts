/** Returns the code of an error, such as `ENOENT`; `undefined` if it has none. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

/** True if an error reports that exactly this file is missing. */
export const isMissing = (error: unknown, file: string): boolean =>
  errorCode(error) === 'ENOENT' && error instanceof Error && 'path' in error && error.path === file

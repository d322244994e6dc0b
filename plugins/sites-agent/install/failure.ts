/** What stands in the way of work on the files of a website; the sentence names the file and the remedy. */
export class SiteFilesError extends Error {
  override readonly name = 'SiteFilesError'
}

/** What went wrong, in one line. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const [first = '', second = ''] = error.message.split('\n')
  return first.endsWith(':') ? `${first} ${second.trim()}` : first
}

/** True for the error that a missing file gives, asked about the file itself and none that it reads. */
export function isMissing(error: unknown, file: string): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    error.code === 'ENOENT' &&
    'path' in error &&
    error.path === file
  )
}

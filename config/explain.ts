/** A file and a line in the head of a stack, as Node writes them before or under the message. */
const placeInFile = /(?:^|\()[ \t]*(?:at )?(?:file:\/\/)?((?:\/|[A-Za-z]:\\)[^\n()]*?):(\d+)(?::\d+)?\)?$/m

/** What went wrong, in one line. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const [first = '', second = ''] = error.message.split('\n')
  return first.endsWith(':') ? `${first} ${second.trim()}` : first
}

/**
 * What went wrong in a module, in one line: the message, and the line of the source where the error tells
 * it.
 */
export function explain(error: unknown): string {
  const head = error instanceof Error ? error.stack?.split('\n').slice(0, 2).join('\n') : undefined
  const place = placeInFile.exec(head ?? '')
  return place ? `${messageOf(error)} (${place[1]}, line ${place[2]})` : messageOf(error)
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

/** Returns the message of an error in one line. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const [first = '', second = ''] = error.message.split('\n')
  return first.endsWith(':') ? `${first} ${second.trim()}` : first
}

const verbs = new Set(['add', 'build', 'create', 'draft', 'make', 'new', 'write', 'anlegen', 'baue', 'erstelle', 'erzeuge', 'leg', 'lege', 'mach', 'neue'])
const nouns = new Set(['page', 'pages', 'subpage', 'seite', 'seiten', 'unterseite'])

/**
 * Tells whether a message asks for a new page, by whole words outside of quotes.
 *
 * It decides only whether it matters that the page in front of the person is not there; what is done with the message is
 * up to the planner.
 */
export function asksForNewPage(message: string): boolean {
  const said = message.slice(0, 2_000).split(/["“”„]/).filter((_, index) => index % 2 === 0)
  const words = new Set(said.join(' ').toLowerCase().match(/\p{L}+/gu))
  return [...words].some((word) => verbs.has(word)) && [...words].some((word) => nouns.has(word))
}

import { readAdf } from './read-adf.ts'

const phrases = ['proceed', 'go ahead', 'go for it', 'good to go', 'yes', 'ok', 'okay', 'approved', 'approve', 'lgtm', 'ship it', 'looks good', 'confirm', 'confirmed']
/** They say something else in a longer comment. */
const shortPhrases = ['continue', 'publish']
/** In English, and in German, where `ok` begins comments as well. */
const blocking = new Set([
  'no', 'not', 'never', 'dont', 'wait', 'hold', 'stop', 'cancel', 'revert', 'undo', 'instead', 'but', 'except', 'unless', 'before', 'also', 'until',
  'nein', 'nicht', 'nichts', 'kein', 'keine', 'keinen', 'nie', 'aber', 'warte', 'warten', 'stopp', 'halt', 'abbrechen', 'stattdessen', 'sondern', 'außer', 'bevor', 'vorher', 'erst', 'auch', 'bis', 'noch',
])
const editVerbs = new Set([
  'add', 'change', 'replace', 'remove', 'delete', 'update', 'rename', 'move', 'fix', 'make', 'use', 'set', 'edit', 'rewrite',
  'ändern', 'ändere', 'ersetzen', 'ersetze', 'entfernen', 'entferne', 'löschen', 'lösche', 'hinzufügen', 'füge', 'umbenennen', 'verschieben', 'verschiebe', 'mach', 'mache', 'setze', 'nimm', 'korrigiere', 'schreib', 'schreibe',
])

const mostWords = 15
const mostWordsOfShort = 5
/** An approval stands at the beginning, and what is longer than this is none. */
const within = 500
const longest = 4_000

/** True for a comment that approves and says nothing else; any other comment is an instruction. */
export function isApproval(comment: unknown): boolean {
  const text = ownWords(readAdf(comment, { quotes: true }))
  if (text.length > longest || /[?？]/.test(text)) return false
  const words = wordsOf(text)
  if (words.length > mostWords || words.some((word) => blocking.has(word) || word.endsWith("n't") || editVerbs.has(word))) return false
  const said = ` ${wordsOf(text.slice(0, within)).join(' ')} `
  const wanted = words.length > mostWordsOfShort ? phrases : [...phrases, ...shortPhrases]
  return said === ' go ' || wanted.some((phrase) => said.includes(` ${phrase} `))
}

/** Without quotations and mentions as Jira Server and plain texts write them. */
function ownWords(text: string): string {
  const unquoted = text.slice(0, longest + 1).split('{quote}').filter((_, at) => at % 2 === 0).join(' ')
  const lines = unquoted.split('\n').filter((line) => !/^\s*(?:>|bq\.)/.test(line))
  return lines.join('\n').replace(/\[~[^\]\n]{1,200}\]|(?<![\w.])@[\w.-]+/g, ' ')
}

const wordsOf = (text: string): readonly string[] => text.toLowerCase().replaceAll('’', "'").match(/[\p{L}\p{N}']+/gu) ?? []

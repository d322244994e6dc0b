/** Values of fields, times and authors in words, never as JSON. */
import { labelOf, typeOf, type Field } from './block-types.ts'
import { isRow, stepsOf } from './place.ts'

const moment = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' })

/** A time for people. */
export const momentOf = (iso: string): string => moment.format(new Date(iso))

/** The text of any value: rows and lists are their texts. */
export function wordsOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (value === true || value === false) return value ? 'Yes' : 'No'
  if (typeof value === 'number') return String(value)
  if (Array.isArray(value)) return value.map(wordsOf).join('\n')
  if (!isRow(value)) return ''
  return Object.entries(value)
    .filter(([name]) => name !== 'id' && name !== '_key')
    .map(([, each]) => wordsOf(each))
    .filter((text) => text !== '')
    .join(' · ')
}

/** The texts of a page for search engines and links, by their keys. */
export const metaNames: Readonly<Record<string, string>> = {
  title: 'Title for search engines',
  description: 'Description for search engines',
  ogImage: 'Picture for links',
}

/** The names and positions of a path, each name with its field. */
function* fieldsAlong(type: string, path: string) {
  let fields: Readonly<Record<string, Field>> | undefined = typeOf.value(type)?.fields
  for (const step of stepsOf(path)) {
    const field: Field | undefined = typeof step === 'number' ? undefined : fields?.[step]
    yield { step, field }
    if (typeof step === 'string')
      fields = Object.assign({}, ...Object.values(field?.itemFieldsByType ?? {}), field?.itemFields)
  }
}

/** The name of a field for people by its path in a difference, such as `Questions 2: Answer`. */
export function nameOfPath(type: string, path: string): string {
  let name = ''
  for (const { step, field } of fieldsAlong(type, path))
    name += typeof step === 'number' ? ` ${step + 1}` : `${name === '' ? '' : ': '}${labelOf(step, field)}`
  return name
}

/** The kind of a field by its path; `undefined` for what is none. */
export const kindOfPath = (type: string, path: string): string | undefined =>
  [...fieldsAlong(type, path)].at(-1)?.field?.kind

const channels: Readonly<Record<string, string>> = {
  mcp: 'an assistant',
  agent: 'the ticket agent',
  jira: 'Jira',
  site: 'the website',
}

const someone = 'someone in the studio'

interface Made {
  readonly actor: {
    readonly kind: string
    readonly id?: string | undefined
    readonly client?: string | undefined
    readonly browser?: { readonly name?: string | undefined } | undefined
  }
  readonly channel?: string
}

/** Names who made a change: the person, with the token if there is one, else the program or the way it came. */
export function byWhom({ actor: { kind, id, client, browser }, channel = 'api' }: Made): string {
  if (browser && kind === 'person') return browser.name ?? someone
  const token = id === 'anyone' ? undefined : id
  if (browser?.name !== undefined && token !== undefined) return `${browser.name} (${token})`
  const unnamed = channels[channel] ?? (kind === 'person' ? 'someone' : 'a program')
  return token ?? (client === 'studio' ? someone : client) ?? unnamed
}

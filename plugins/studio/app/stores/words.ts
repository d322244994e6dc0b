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

/** The name of a field for people by its path in a difference, such as `Questions 2: Answer`. */
export function nameOfPath(type: string, path: string): string {
  let fields: Readonly<Record<string, Field>> | undefined = typeOf.value(type)?.fields
  let name = ''
  for (const step of stepsOf(path)) {
    if (typeof step === 'number') {
      name += ` ${step + 1}`
      continue
    }
    const field = fields?.[step]
    name += `${name === '' ? '' : ': '}${labelOf(step, field)}`
    fields = Object.assign({}, ...Object.values(field?.itemFieldsByType ?? {}), field?.itemFields)
  }
  return name
}

const channels: Readonly<Record<string, string>> = {
  api: 'another program',
  mcp: 'an assistant',
  agent: 'the ticket agent',
  jira: 'Jira',
  history: 'history',
  site: 'the website',
}

/** Names who made a change: a person if known, else the program or the way it came. */
export function byWhom({
  actor,
  channel,
}: {
  readonly actor: { readonly id?: string | undefined; readonly client?: string | undefined }
  readonly channel: string
}): string {
  const named = actor.id === 'anyone' ? undefined : actor.id
  const client = actor.client === 'studio' ? 'someone in the studio' : actor.client
  return named ?? client ?? channels[channel] ?? channel
}

/** Who works in this browser, as it says with what it sends; nothing proves it. */
import { computed, signal } from '@preact/signals'
import { randomId } from './random-id.ts'

const personKey = (what: string): string => `content-orchestrator:${what}`
const colors = ['amber', 'blue', 'coral', 'green', 'lilac', 'pink', 'teal', 'violet']
const madeUpNames = colors.map((color) => `Editor ${color}`)
const anyName = (): string => madeUpNames[Math.floor(Math.random() * colors.length)] ?? 'Editor blue'

/** A name as the service takes it: one line, in which nothing turns the direction of the text around it. */
const tidy = (text: string): string =>
  text
    .replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, '')
    .trim()
    .slice(0, 60)
    .toWellFormed()

const nameKey = personKey('name')
const storedName = (): string => tidy(localStorage.getItem(nameKey) ?? '')

/** What others at the draft call this person; made up until one is given. */
export const name = signal(storedName() || anyName())
/** The name that this person has given; empty until then. */
export const givenName = computed(() => (madeUpNames.includes(name.value) ? '' : name.value))
localStorage.setItem(nameKey, name.value)

export function rename(next: string): void {
  name.value = tidy(next) || name.value
  localStorage.setItem(nameKey, name.value)
}
addEventListener('storage', ({ key }) => {
  if (key === nameKey) name.value = storedName() || name.value
})

/** Whether this browser has sent a change or a message since the page was opened. */
export const hasSent = signal(false)

/** What a change says of its sender: an id that is made once per browser, and the name. */
export function sender() {
  const key = personKey('browser')
  const id = localStorage.getItem(key) ?? randomId()
  localStorage.setItem(key, id)
  return { id, ...(givenName.value !== '' && { name: givenName.value }) }
}

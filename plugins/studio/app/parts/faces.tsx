import type { Person } from '../stores/presence.ts'

/** The initials of a name: of its first and its last word. */
export function initialsOf(name: string): string {
  const words = name.split(/\s+/).filter((word) => word !== '')
  const ends = words.length > 1 ? [words[0], words.at(-1)] : words
  return ends
    .map((word = '') => [...word][0] ?? '')
    .join('')
    .toLocaleUpperCase()
}

/** Each name once: a person may have several tabs. */
export const named = (people: readonly Person[]): readonly Person[] => [
  ...new Map(people.map((person) => [person.name, person])).values(),
]
/** Says what people do, such as `Ana and Ben are here`; nothing of none. */
export function peopleSentence(people: readonly Person[], what: string): string {
  const names = named(people).map(({ name }) => name)
  if (names.length === 0) return ''
  return `${new Intl.ListFormat('en').format(names)} ${names.length === 1 ? 'is' : 'are'} ${what}`
}

/** Marks where other people are. The style sheet writes their initials, which are no part of a label. */
export const Faces = ({ people }: { readonly people: readonly Person[] }) => (
  <>
    {named(people)
      .slice(0, 3)
      .map(({ name }) => (
        <span
          key={name}
          class="face"
          data-initials={initialsOf(name)}
          title={`${name} is here`}
          aria-hidden="true"
        />
      ))}
  </>
)

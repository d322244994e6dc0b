import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { isComposing } from '../parts/composing.ts'

interface Findable {
  readonly id: string
  readonly name: string
  readonly detail?: string | undefined
  readonly picture?: ComponentChildren
  /** By which it is found, besides what is shown. */
  readonly words?: string | undefined
}

interface FinderProps {
  readonly label: string
  readonly items: readonly Findable[]
  readonly onChoose: (id: string) => void
}

/** A list that is filtered by typing; arrows walk, Enter chooses. */
export function Finder({ label, items, onChoose }: FinderProps) {
  const [wanted, setWanted] = useState('')
  const [at, setAt] = useState(0)
  const words = wanted.toLowerCase().split(/\s+/)
  const has = (text: string): boolean => words.every((word) => text.toLowerCase().includes(word))
  const isShown = ({ name, detail = '' }: Findable): boolean => has(`${name} ${detail}`)
  const isKnown = (item: Findable): boolean =>
    !isShown(item) && has(`${item.name} ${item.detail ?? ''} ${item.words ?? ''}`)
  // What a person sees counts before what is only known about it.
  const found = [...items.filter(isShown), ...items.filter(isKnown)]
  const chosen = Math.min(at, found.length - 1)
  const key = (event: KeyboardEvent): void => {
    if (isComposing(event)) return
    const item = found[chosen]
    if (event.key === 'ArrowDown') setAt(Math.min(chosen + 1, found.length - 1))
    else if (event.key === 'ArrowUp') setAt(Math.max(chosen - 1, 0))
    else if (event.key === 'Enter' && item) onChoose(item.id)
    else return
    event.preventDefault()
  }
  return (
    <div class="finder">
      <input
        // Of a search field the first Escape would take the words, and only the next one close.
        type="text"
        autofocus
        aria-label={label}
        placeholder={label}
        role="combobox"
        list={undefined}
        aria-expanded="true"
        aria-controls="found"
        aria-activedescendant={found[chosen] && `found-${chosen}`}
        value={wanted}
        onInput={({ currentTarget }) => {
          setWanted(currentTarget.value)
          setAt(0)
        }}
        onKeyDown={key}
      />
      <ul id="found" role="listbox" aria-label={label}>
        {found.map(({ id, name, detail, picture }, index) => (
          <li
            key={id}
            id={`found-${index}`}
            role="option"
            aria-selected={index === chosen}
            onClick={() => onChoose(id)}
          >
            {picture}
            <span>
              {name} <small>{detail}</small>
            </span>
          </li>
        ))}
        {found.length === 0 && <li class="soft">Nothing found</li>}
      </ul>
    </div>
  )
}

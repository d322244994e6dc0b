import { useEffect, useRef, useState } from 'preact/hooks'
import { setField } from '../edit/intents.ts'
import { isComposing } from '../parts/composing.ts'
import { pages } from '../stores/draft.ts'
import type { Field } from '../stores/block-types.ts'

/** One field of a block; `path` names a field of a row as `cards[0].title`. */
export interface OneFieldProps {
  readonly blockId: string
  readonly path: string
  readonly field: Field
  readonly value: unknown
}

interface FieldInputProps extends OneFieldProps {
  readonly label: string
  readonly isSelected: boolean
}

/** How long a person pauses before a field is saved. */
const pauseMs = 600

const multiline: ReadonlySet<string> = new Set(['richtext', 'html', 'stringList'])
const textOf = (value: unknown): string =>
  Array.isArray(value)
    ? value.join('\n')
    : typeof value === 'string' || typeof value === 'number'
      ? String(value)
      : ''

/**
 * One field. It is saved at a pause and when it is left. While it has the caret nothing else writes it: a change from
 * elsewhere waits, and is shown when the field is left.
 */
export function FieldInput({ blockId, path, field, value, label, isSelected }: FieldInputProps) {
  const stored = textOf(value)
  const [typed, setTyped] = useState<string | undefined>(undefined)
  const element = useRef<HTMLInputElement & HTMLTextAreaElement & HTMLSelectElement>(null)
  const timer = useRef(0)
  // The focus stays in the page, where the person may go on to type.
  useEffect(() => void (isSelected && element.current?.scrollIntoView({ block: 'nearest' })), [isSelected])

  const save = (text: string): void => {
    clearTimeout(timer.current)
    if (text !== stored) void setField(blockId, path, valueOf(field.kind, text), label)
  }
  const type = (text: string): void => {
    setTyped(text)
    clearTimeout(timer.current)
    timer.current = window.setTimeout(save, pauseMs, text)
  }
  const leave = (): void => {
    if (typed !== undefined) save(typed)
    setTyped(undefined)
  }
  const id = `field-${blockId}-${path}`
  const common = {
    id,
    ref: element,
    value: typed ?? stored,
    dir: 'auto',
    onInput: ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) =>
      type(currentTarget.value),
    onBlur: leave,
  } as const
  return (
    <div class="field" data-selected={isSelected || undefined}>
      <label for={id}>{label}</label>
      {field.kind === 'enum' || field.kind === 'headingLevel' ? (
        <select {...common} onInput={({ currentTarget }) => save(currentTarget.value)}>
          {(field.options ?? ['h1', 'h2', 'h3', 'h4', 'h5', 'h6']).map((option) => (
            <option key={option}>{option}</option>
          ))}
        </select>
      ) : multiline.has(field.kind) ? (
        <textarea {...common} rows={Math.min(12, 2 + (typed ?? stored).split('\n').length)} />
      ) : field.kind === 'reference' ? (
        <output id={id}>{JSON.stringify(value)}</output>
      ) : (
        <input
          {...common}
          type={field.kind === 'number' ? 'number' : 'text'}
          list={field.kind === 'link' || field.kind === 'url' ? 'pages' : undefined}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && !isComposing(event)) event.currentTarget.blur()
          }}
        />
      )}
    </div>
  )
}

/** The pages of the site, for fields that hold a link. */
export const PageList = () => (
  <datalist id="pages">
    {pages.value.map(({ slug, title }) => (
      <option key={slug} value={slug}>
        {title}
      </option>
    ))}
  </datalist>
)

function valueOf(kind: string, text: string): unknown {
  if (kind === 'number') return Number(text)
  return kind === 'stringList' ? text.split('\n').filter((line) => line.trim() !== '') : text
}

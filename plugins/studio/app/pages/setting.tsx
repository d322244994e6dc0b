import { useId } from 'preact/hooks'
import { Line, Lines } from '../fields/text.tsx'
import { TypedNotes } from '../parts/typed-notes.tsx'
import { useTyped } from '../parts/use-typed.ts'
import { session, site } from '../stores/site.ts'
import type { Outcome } from '../stores/typed.ts'

interface SettingProps {
  /** Names what is set in the whole site, such as `/about title`. */
  readonly name: string
  readonly label: string
  readonly hint?: string | undefined
  readonly isLong?: boolean
  readonly dir?: 'ltr'
  readonly stored: string
  readonly onStore: (value: string, on: string) => Promise<Outcome>
}

/** One setting, stored as it is typed. */
export function Setting({ name, label, hint, isLong = false, dir, stored, onStore }: SettingProps) {
  const id = useId()
  const place = JSON.stringify([site.value?.id, session, 'setting', name])
  const bound = { id, ...useTyped(place, stored, onStore) }
  const Control = isLong ? Lines : Line
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <Control bound={bound} {...(dir && { dir })} />
      <small id={`${id}-hint`} class="hint">
        {hint}
      </small>
      <TypedNotes bound={bound} />
    </div>
  )
}

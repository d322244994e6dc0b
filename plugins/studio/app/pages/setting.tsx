import { useId } from 'preact/hooks'
import { ChoosePicture } from '../fields/choose-picture.tsx'
import { PictureAt } from '../fields/picture.tsx'
import { Line, Lines } from '../fields/text.tsx'
import { TypedNotes } from '../parts/typed-notes.tsx'
import { useTyped } from '../parts/use-typed.ts'
import { picking, type Picked } from '../stores/picking.ts'
import { nameOfSetting } from '../stores/place.ts'
import { session, site } from '../stores/site.ts'
import type { StoreOutcome } from '../stores/typed.ts'

interface SettingProps {
  readonly name: string
  /** The page that has it; `undefined` for a setting of the whole site. */
  readonly slug?: string | undefined
  readonly label: string
  readonly hint?: string | undefined
  readonly isLong?: boolean
  /** Whether it is the address of a picture. */
  readonly isPicture?: boolean
  /** The id of the values that are proposed for it. It is stored once it is left: a half typed one would be another one. */
  readonly list?: string
  readonly stored: string
  readonly onStore: (value: string, on: string) => Promise<StoreOutcome>
}

/** One setting, stored as it is typed. */
export function Setting({
  name,
  slug,
  label,
  hint,
  isLong = false,
  isPicture = false,
  list,
  stored,
  onStore,
}: SettingProps) {
  const id = useId()
  const place = nameOfSetting([site.value?.id, session], name, slug)
  const bound = { id, ...useTyped(place, stored, onStore, list === undefined ? 'at a pause' : 'once left') }
  const Control = isLong ? Lines : Line
  const take = (url: string): void => {
    bound.type(url)
    bound.save()
  }
  const pick = {
    label: `Choose a picture for ${label}`,
    alt: undefined,
    onPick: ({ url }: Picked) => take(url),
  }
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {isPicture ? (
        <ChoosePicture label={label} onOpen={() => (picking.value = pick)} onUploaded={take}>
          <PictureAt bound={bound} />
        </ChoosePicture>
      ) : (
        <Control bound={bound} list={list} />
      )}
      <small id={`${id}-hint`} class="hint">
        {hint}
      </small>
      <TypedNotes bound={bound} />
    </div>
  )
}

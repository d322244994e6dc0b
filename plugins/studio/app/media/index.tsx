import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { NotAllowed } from '../parts/not-allowed.tsx'
import { may } from '../stores/access.ts'
import { picking } from '../stores/picking.ts'

const loaded = signal<typeof import('./media.tsx') | undefined>(undefined)
const load = (): void => void import('./media.tsx').then((module) => (loaded.value = module))

/** The view of all pictures, which is loaded when it is first opened. */
export function MediaView() {
  useEffect(load, [])
  if (!may('read'))
    return (
      <div class="view">
        <h1>Media</h1>
        <NotAllowed needs="read" to="see the pictures" />
      </div>
    )
  const { Media } = loaded.value ?? {}
  return Media ? <Media /> : <div class="view skeleton" aria-busy="true" />
}

/** The dialog in which a picture is chosen, for whatever asks for one. */
export function PickImage() {
  const isOpen = picking.value !== undefined
  useEffect(() => void (isOpen && load()), [isOpen])
  const { PickDialog } = loaded.value ?? {}
  return picking.value && PickDialog ? <PickDialog {...picking.value} /> : null
}

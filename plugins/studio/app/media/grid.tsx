import { useEffect, useState } from 'preact/hooks'
import { addressOfPicture } from '../fields/picture.tsx'
import { chosen } from './media-store.ts'
import type { Picture } from './pictures.ts'

interface GridProps {
  readonly pictures: readonly Picture[]
  /** A picture was chosen and confirmed, by a double click. */
  readonly onOpen?: ((picture: Picture) => void) | undefined
}

/** Pictures, one of which is chosen. */
export const Grid = ({ pictures, onOpen }: GridProps) => (
  <ul class="grid">
    {pictures.map((picture) => (
      <li key={picture.id}>
        <button
          type="button"
          title={picture.name}
          aria-pressed={chosen.value?.id === picture.id}
          onClick={() => (chosen.value = picture)}
          onDblClick={() => onOpen?.(picture)}
        >
          <Thumb picture={picture} />
          <span class="cut" dir="auto">
            {picture.name}
          </span>
        </button>
      </li>
    ))}
  </ul>
)

/** A small view of a picture, which loads once it is near. */
export function Thumb({ picture: { thumb } }: { readonly picture: Picture }) {
  const [read, setRead] = useState<string | undefined>(undefined)
  const [isBroken, setBroken] = useState(false)
  useEffect(() => {
    setBroken(false)
    setRead(undefined)
    if (typeof thumb === 'string') return undefined
    let address: string | undefined
    const show = (blob: Blob): void => setRead((address = URL.createObjectURL(blob)))
    thumb().then(show, () => setBroken(true))
    return () => {
      if (address !== undefined) URL.revokeObjectURL(address)
    }
  }, [thumb])
  const address = typeof thumb === 'string' ? thumbAddress(thumb) : read
  if (isBroken || (typeof thumb === 'string' && address === undefined))
    return <span class="thumb soft">No preview</span>
  return <img class="thumb" src={address} alt="" loading="lazy" onError={() => setBroken(true)} />
}

/** The service makes its own files smaller; others are shown as they are, if this page may show them. */
const thumbAddress = (thumb: string): string | undefined =>
  thumb.endsWith('?w=320') ? thumb : addressOfPicture(thumb)

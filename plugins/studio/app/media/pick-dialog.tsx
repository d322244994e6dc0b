import { useLayoutEffect, useState } from 'preact/hooks'
import { Button, IconButton } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { sentenceOf } from '../service.ts'
import { chosen } from './media-store.ts'
import { picking, type Picking } from '../stores/picking.ts'
import { ofAddress, type Picture } from './pictures.ts'
import { say } from '../stores/toast.ts'
import { Credit } from './details.tsx'
import { Thumb } from './grid.tsx'
import { Shelf } from './shelf.tsx'

const close = (): void => void (picking.value = undefined)

/** Chooses a picture from the own ones, a source, a file or a link; none is chosen once it can be seen. */
export function PickDialog({ label, alt, url, use: field, onPick }: Picking) {
  useLayoutEffect(() => {
    const before = chosen.peek()
    chosen.value = undefined
    return () => void (chosen.value = before)
  }, [])
  const use = async (picture: Picture, shows: string | undefined): Promise<void> => {
    try {
      const url = await picture.take(shows)
      if (url === undefined) return
      close()
      onPick({ url, id: picture.id, alt: shows })
    } catch (error) {
      say(sentenceOf(error))
    }
  }
  const open = (picture: Picture): void => {
    if (alt === undefined) void use(picture, undefined)
  }
  const picture = chosen.value
  return (
    <Dialog label={label} variant="wide" onClose={close}>
      <header>
        <h2 class="grow">{label}</h2>
        <IconButton name="x" label="Close" onClick={close} />
      </header>
      <Shelf use={field} onUploaded={(each) => (chosen.value = each)} onOpen={open} />
      <Link />
      {picture && (
        <Chosen
          key={picture.id}
          picture={picture}
          alt={alt}
          isSame={picture.url === url}
          onUse={(shows) => void use(picture, shows)}
        />
      )}
    </Dialog>
  )
}

/** A picture by its address. */
function Link() {
  const [address, setAddress] = useState('')
  const isUsable = /^(?:https?:\/\/|\/(?!\/))\S+$/.test(address.trim())
  return (
    <form
      class="beside"
      onSubmit={(event) => {
        event.preventDefault()
        if (isUsable) chosen.value = ofAddress(address.trim())
      }}
    >
      <input
        aria-label="Link to a picture"
        placeholder="Or a link: https://"
        dir="ltr"
        value={address}
        onInput={({ currentTarget }) => setAddress(currentTarget.value)}
      />
      <Button type="submit" disabled={!isUsable}>
        Use this link
      </Button>
    </form>
  )
}

interface ChosenProps {
  readonly picture: Picture
  readonly alt: string | undefined
  /** Whether it is the picture before. */
  readonly isSame: boolean
  readonly onUse: (shows: string | undefined) => void
}

/** The chosen picture, and where the field has one, its description. */
function Chosen({ picture, alt, isSame, onUse }: ChosenProps) {
  const [shows, setShows] = useState(isSame ? (alt ?? '') : picture.alt)
  return (
    <form
      class="chosen"
      onSubmit={(event) => {
        event.preventDefault()
        onUse(alt === undefined ? undefined : shows.trim())
      }}
    >
      <Thumb picture={picture} />
      <div class="grow">
        <b dir="auto">{picture.name}</b>
        <Credit {...picture} />
        {alt !== undefined && (
          <label>
            Image description
            <input
              placeholder="What the picture shows"
              value={shows}
              dir="auto"
              onInput={({ currentTarget }) => setShows(currentTarget.value)}
            />
            {!isSame && alt !== '' && (
              <small>
                The picture before: <bdi>{alt}</bdi>
              </small>
            )}
          </label>
        )}
      </div>
      <Button type="submit" variant="main" needs="edit">
        Use this picture
      </Button>
    </form>
  )
}

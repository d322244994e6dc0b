import { useRef } from 'preact/hooks'
import { IconButton, MoveButtons } from '../parts/button.tsx'
import { picking, type Picked } from '../stores/picking.ts'
import { ChoosePicture } from './choose-picture.tsx'
import { useField, type FieldProps, type Form } from './field.ts'
import { Frame } from './frame.tsx'
import { Picture } from './picture.tsx'

const picturesForm: Form<readonly string[]> = {
  shown: (value) => (Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []),
  stored: (addresses) => addresses,
}

/** Pictures in an order, each only an address. */
export function ImageListField(props: FieldProps) {
  const bound = useField(props, picturesForm)
  const { value } = bound
  const change = (next: readonly string[]): void => {
    bound.type(next)
    bound.save()
  }
  const latest = useRef(value)
  latest.current = value
  // Several files may arrive one after the other.
  const add = (url: string): void => change((latest.current = [...latest.current, url]))
  const adding = {
    label: `Add to ${props.label}`,
    alt: undefined,
    onPick: (picked: Picked) => add(picked.url),
  }
  const swap = (at: number): void => change(value.toSpliced(at, 2, ...value.slice(at, at + 2).toReversed()))
  return (
    <Frame {...props} bound={bound} isGroup>
      <ol class="pictures stack">
        {withKeys(value).map(({ key, address }, at) => (
          <li key={key}>
            <Picture value={address} />
            <MoveButtons
              what={`picture ${at + 1}`}
              at={at}
              last={value.length - 1}
              onMove={(by) => swap(by === 1 ? at : at - 1)}
            />
            <IconButton
              name="trash-2"
              label={`Delete picture ${at + 1}`}
              onClick={() => change(value.toSpliced(at, 1))}
            />
          </li>
        ))}
      </ol>
      <ChoosePicture isMany label={props.label} onOpen={() => (picking.value = adding)} onUploaded={add} />
    </Frame>
  )
}

/** A picture is its address; the second of the same address is another one. */
function withKeys(addresses: readonly string[]) {
  const seen = new Map<string, number>()
  return addresses.map((address) => {
    const nth = (seen.get(address) ?? 0) + 1
    seen.set(address, nth)
    return { key: `${nth} ${address}`, address }
  })
}

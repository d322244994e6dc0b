import { pickFor, setPicture, useOf } from '../edit/picture.ts'
import { ChoosePicture } from './choose-picture.tsx'
import { textForm, useField, type FieldProps, type Form } from './field.ts'
import { Frame } from './frame.tsx'
import { PictureAt } from './picture.tsx'

const imageForm: Form<string> = { shown: textForm.shown, stored: (text) => text.trim() }

/** A picture: chosen, dropped, pasted, or by its address. Its description is a field of its own, beside it. */
export function ImageField(props: FieldProps) {
  const bound = useField(props, imageForm)
  const { imageSpec } = props.field
  const size = imageSpec && `Best at ${imageSpec.width} × ${imageSpec.height} pixels.`
  return (
    <Frame {...props} bound={bound} hint={size}>
      <ChoosePicture
        label={props.label}
        use={useOf(props.place, bound.value)}
        onOpen={() => pickFor(props.place, props.label)}
        onUploaded={(url) => void setPicture(props.place, props.label, { url, alt: undefined })}
      >
        <PictureAt bound={bound} slug={props.place.slug} />
      </ChoosePicture>
    </Frame>
  )
}

import { chosen } from './media-store.ts'
import { Details } from './details.tsx'
import { Shelf } from './shelf.tsx'

export { PickDialog } from './pick-dialog.tsx'

/** All pictures, and what is known of one of them. */
export const Media = () => (
  <div class="view media">
    <h1>Media</h1>
    <Shelf onUploaded={(picture) => (chosen.value = picture)} />
    <Details />
  </div>
)

/** The widths of devices. A desktop is at least that wide, and takes the whole width where there is more. */
const pixels = { desktop: 1280, tablet: 820, phone: 390 } as const
type Device = keyof typeof pixels

export interface Size {
  readonly width: number
  readonly height: number
}

interface Fitted extends Size {
  /** By how much the page is drawn smaller than it is. */
  readonly factor: number
  /** Where it begins, so that it is in the middle. */
  readonly left: number
}

/**
 * The size of a page of a device in a room; without a device, that of the room. The page has its real width, and is
 * drawn as small as the room needs.
 */
export function fitted(room: Size, device: Device | undefined): Fitted {
  if (device === undefined || room.width === 0) return { ...room, factor: 1, left: 0 }
  const wanted = device === 'desktop' ? Math.max(pixels.desktop, room.width) : pixels[device]
  const factor = Math.min(1, room.width / wanted)
  const left = Math.round((room.width - wanted * factor) / 2)
  return { width: wanted, height: Math.round(room.height / factor), factor, left }
}

/** Draws a frame as it was fitted. */
export const styleOf = ({ width, height, factor, left }: Fitted) => ({
  width: `${width}px`,
  height: `${height}px`,
  transform: factor === 1 ? 'none' : `scale(${factor})`,
  left: `${left}px`,
})

/** The real widths of the devices. */
export const pixels = { fit: undefined, desktop: 1280, tablet: 820, phone: 390 } as const

export interface Size {
  readonly width: number
  readonly height: number
}

export interface Fitted extends Size {
  /** By how much the page is drawn smaller than it is. */
  readonly factor: number
  /** Where it begins, so that it stands in the middle. */
  readonly left: number
}

/** The size of a page of a device in a room. The page has its real width, and is drawn as small as the room needs. */
export function fitted(room: Size, wanted: number | undefined): Fitted {
  if (wanted === undefined || room.width === 0) return { ...room, factor: 1, left: 0 }
  const factor = Math.min(1, room.width / wanted)
  const left = Math.round((room.width - wanted * factor) / 2)
  return { width: wanted, height: Math.round(room.height / factor), factor, left }
}

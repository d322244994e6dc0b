/** Where the texts of a page, as its browser shows it, are in the content of its website. */
export { createPlaces, type Places } from './places.ts'
export { TextReport, type PlacedTexts, type TextPlace } from './report.ts'
export { pageType, type ShownValue, type ValueKind } from './values.ts'
export type { Segment } from './rendered.ts'

/** Fields: what kinds there are and what follows from the metadata of a prop or row field. */
export { fieldKinds, imagePlaceholder, isFieldKind, isPlaceholder, type KindFacts } from './field-kinds.ts'
export { checkFields } from './field-schema.ts'
export { isInlineEditable, isInternal, isTranslatable, labelOf } from './field-meta.ts'
export {
  effectiveItemFields, everyItemField, isContentOwned, isDeclaredList, isPolymorphic,
} from './list-fields.ts'
export { newProps, newRow, requiredProps, starterProps } from './new-values.ts'
export { deriveFields } from './derive-fields.ts'
export { headingLevelOf, rowHeadingLevelOf, type HeadingLevel } from './field-kinds.ts'

/** The icons of the studio, by their names in Lucide; the build cuts them into one file. */
export const icons = [
  'arrow-down',
  'arrow-up',
  'copy',
  'file-text',
  'history',
  'list-tree',
  'monitor',
  'paperclip',
  'plus',
  'redo-2',
  'shield-check',
  'smartphone',
  'square-pen',
  'tablet',
  'trash-2',
  'undo-2',
  'x',
] as const

export type IconName = (typeof icons)[number]

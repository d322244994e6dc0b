import { defineBlock } from './define.ts'

/** Cells are one opaque matrix: they have no fields and no row operations. */
const matrix = { type: 'array', minItems: 1, items: { type: 'array', items: { type: 'string' } } }

export const table = defineBlock({
  type: 'Table',
  displayName: 'Table',
  description: 'Rows and columns of short texts under headers.',
  category: 'content',
  headingLevel: true,
  props: {
    title: { kind: 'text' },
    headers: { kind: 'stringList', need: 'filled' },
    rows: { kind: 'text', need: 'filled', schema: matrix },
    striped: { kind: 'enum', options: ['true', 'false'], default: 'false' },
  },
  starter: {
    title: '',
    headers: ['What you get', 'Small', 'Medium', 'Large'],
    rows: [
      ['Best for', 'One person', 'A small team', 'A whole company'],
      ['Answer within', '3 days', '1 day', '4 hours'],
      ['Meetings', 'On request', 'Monthly', 'Weekly'],
      ['Price', '€ 20', '€ 60', '€ 180'],
    ],
    striped: 'true',
  },
})

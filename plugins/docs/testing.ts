/** The door for tests: what they use of this room besides its port. */
export { createComponents, nameIn } from './components.ts'
export type { ApiResponse, Operation, Reference } from './document.ts'
export { apiVersion, isPublished, openApiDocument } from './openapi.ts'
export { docsPage } from './page.ts'
export { exampleOf } from './page/example.ts'
export { enliven } from './page/script.ts'
export { toTemplate } from './request.ts'

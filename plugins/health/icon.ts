/** A speech bubble around two lines of text. */
export const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">' +
  '<path fill="#2563eb" d="M6 3h20a4 4 0 0 1 4 4v13a4 4 0 0 1-4 4H15l-8 6v-6H6a4 4 0 0 1-4-4V7a4 4 0 0 1 4-4z"/>' +
  '<path stroke="#fff" stroke-width="3" stroke-linecap="round" d="M9 10.5h14M9 16.5h9"/>' +
  '</svg>'

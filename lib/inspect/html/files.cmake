# The files of the page, in the order of the page.
set(inspect_html_files
  index.html inspect.css pixels.js frame.js search.js timeline.js layers.js picture.js film.js compare.js png.js selection.js rows.js states.js
  textures.js mesh.js vertices.js programs.js detail.js inspect.js)

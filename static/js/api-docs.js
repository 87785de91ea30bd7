/* Starts Swagger UI on the page of the API, in the page's own light or dark. */
"use strict";
(() => {
  const root = document.documentElement;
  const place = document.getElementById("swagger-ui");
  const prefersDark = matchMedia("(prefers-color-scheme: dark)");

  function follow() {
    const theme = root.dataset.theme;
    const dark = theme === "dark" || (theme !== "light" && prefersDark.matches);
    root.classList.toggle("dark-mode", dark);
  }

  follow();
  prefersDark.addEventListener("change", follow);
  new MutationObserver(follow).observe(root, {
    attributes: true,
    attributeFilter: ["data-theme"],
  });

  SwaggerUIBundle({
    url: place.dataset.url,
    dom_id: "#swagger-ui",
    presets: [SwaggerUIBundle.presets.apis],
    layout: "BaseLayout",
    deepLinking: true,
    docExpansion: "list",
    defaultModelsExpandDepth: 0,
    requestInterceptor: (request) => {
      request.headers["X-CSRFToken"] = place.dataset.csrfToken;
      return request;
    },
  });
})();

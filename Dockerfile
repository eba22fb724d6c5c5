# SPDX-License-Identifier: MIT
# docker build -t gpusim .
# docker run --rm -v "$PWD":/work gpusim --arch h100 --trace flashattn
FROM debian:12-slim AS build
COPY . /gpusim
WORKDIR /gpusim
RUN tools/package

FROM debian:12-slim
COPY --from=build /gpusim/build/package/packages/gpusim_*.deb /tmp/
RUN apt-get update && apt-get install -y --no-install-recommends /tmp/gpusim_*.deb \
  && rm -rf /tmp/gpusim_*.deb /var/lib/apt/lists/*
WORKDIR /work
ENTRYPOINT ["gpusim"]
